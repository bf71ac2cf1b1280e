/** The models of all origins in one list. */
import { describe, expect, test } from "vitest";
import { A, B, cards, list, stage } from "../../support/model-lists.ts";

describe("the merged list", () => {
  test("holds the models of all origins, each once, as the first origin has it", async () => {
    const { merged } = stage({
      [A]: cards({ id: "x", created: 1, max_model_len: 10 }, { id: "y", created: 2 }),
      [B]: cards({ id: "x", created: 9, max_model_len: 90 }, { id: "org/z", created: 3, max_model_len: 30 }),
    });
    expect(await merged()).toEqual([
      { id: "x", created: 1, maxModelLen: 10 },
      { id: "y", created: 2, maxModelLen: undefined },
      { id: "org/z", created: 3, maxModelLen: 30 },
    ]);
  });

  test("holds of an origin only what its models setting allows, though another has the same address", async () => {
    const origins = [
      { url: A, models: ["x"] },
      { url: B, models: ["w"] },
      { url: A, models: ["y"] },
    ];
    const { ids } = stage({ [A]: list("w", "x", "y"), [B]: list("w", "x", "y") }, { ORIGINS: origins });
    expect(await ids()).toEqual(["x", "w", "y"]);
    expect(await ids()).toEqual(["x", "w", "y"]);
  });

  test("holds an alias with its model's own card, and none of a model that is not served", async () => {
    const MODELS = { "my/alias": { model: "x" }, lost: { model: "nowhere" } };
    const { merged } = stage({ [A]: cards({ id: "x", created: 1, max_model_len: 10 }) }, { MODELS });
    expect(await merged()).toEqual([
      { id: "x", created: 1, maxModelLen: 10 },
      { id: "my/alias", created: 1, maxModelLen: 10 },
    ]);
  });

  test("takes an alias for the model of the same name", async () => {
    const { merged } = stage(
      { [A]: cards({ id: "x", created: 1 }, { id: "y", created: 2 }) },
      { MODELS: { x: { model: "y" } } },
    );
    expect(await merged()).toEqual([
      { id: "x", created: 2, maxModelLen: undefined },
      { id: "y", created: 2, maxModelLen: undefined },
    ]);
  });

  test("shows nothing else of a card, such as the path of the model's files", async () => {
    const card = { id: "x", created: 1, root: "/data/models/secret", parent: "p", permission: [{ id: "modelperm-1" }] };
    const { merged } = stage({ [A]: cards(card) });
    expect(await merged()).toEqual([{ id: "x", created: 1, maxModelLen: undefined }]);
  });

  test.each([
    [{ id: "" }, []],
    [{ id: 5 }, []],
    ["x", []],
    [null, []],
    [{ id: "x", created: "now", max_model_len: "long" }, [{ id: "x", created: 0, maxModelLen: undefined }]],
    [{ id: "x", created: 1e300, max_model_len: -1 }, [{ id: "x", created: 0, maxModelLen: undefined }]],
    [{ id: "x", created: -1, max_model_len: 0.5 }, [{ id: "x", created: 0, maxModelLen: undefined }]],
  ])("takes of a card %j what makes sense", async (card, models) => {
    expect(await stage({ [A]: cards(card) }).merged()).toEqual(models);
  });
});

test("an origin is asked with our own credentials, without following redirects, and nothing is cached", async () => {
  const { ids, asked } = stage({ [B]: list("x") }, { ORIGIN_API_KEY: "sk-origin" });
  await ids();
  expect(asked).toEqual([
    {
      url: "http://b.test/base/v1/models",
      init: {
        headers: { authorization: "Bearer sk-origin" },
        signal: expect.any(AbortSignal),
        redirect: "manual",
        cache: "no-store",
      },
    },
  ]);
});
