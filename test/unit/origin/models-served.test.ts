/** Which models a request may name: only what is known of every origin can refuse one. */
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { ModelLists } from "../../../src/origin/models.ts";
import { FakeClock } from "../../support/clock.ts";

const CONFIG = readConfig({
  ORIGINS: [{ url: "http://a.test" }, { url: "http://b.test" }],
  MODELS: { fast: { model: "small" } },
});

function lists(answers: Readonly<Record<string, string | undefined>>): {
  asked: string[];
  clock: FakeClock;
  of: ModelLists;
} {
  const asked: string[] = [];
  const clock = new FakeClock();
  const fetch = (url: string): Promise<Response> => {
    asked.push(url);
    const answer = answers[new URL(url).host];
    return answer === undefined
      ? Promise.reject(new Error("nobody listens"))
      : Promise.resolve(new Response(answer, { headers: { "content-type": "application/json" } }));
  };
  return { asked, clock, of: new ModelLists(fetch, clock) };
}

test("with every list, the models and aliases of all", async () => {
  const { of } = lists({ "a.test": '{"data":[{"id":"small"}]}', "b.test": '{"data":[{"id":"large"}]}' });
  expect([...((await of.served(CONFIG))?.keys() ?? [])].toSorted()).toEqual(["fast", "large", "small"]);
});

test("with one list missing, nothing: the origin decides", async () => {
  const { of } = lists({ "a.test": '{"data":[{"id":"small"}]}', "b.test": undefined });
  expect(await of.served(CONFIG)).toBeUndefined();
  expect((await of.merged(CONFIG))?.map(({ id }) => id)).toEqual(["small", "fast"]);
});

test("an origin that gave no list is left alone for a second", async () => {
  const { of, asked, clock } = lists({ "a.test": '{"data":[]}', "b.test": undefined });
  await of.served(CONFIG);
  await of.served(CONFIG);
  expect(asked.filter((url) => url.startsWith("http://b.test"))).toHaveLength(1);
  await clock.advance(1_000);
  await of.served(CONFIG);
  expect(asked.filter((url) => url.startsWith("http://b.test"))).toHaveLength(2);
});
