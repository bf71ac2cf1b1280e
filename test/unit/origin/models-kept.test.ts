/** How long an origin's list of models is good for, and what is none. */
import { describe, expect, test } from "vitest";
import { flush } from "../../support/clock.ts";
import { A, B, body, gone, halfway, list, silent, stage, type Reply } from "../../support/model-lists.ts";

describe("a list", () => {
  test("is asked for again after ten seconds, and not before", async () => {
    const { ids, clock, asked, replies } = stage({ [A]: list("x") });
    await ids();
    replies[A] = list("y");
    await clock.advance(9_999);
    expect(await ids()).toEqual(["x"]);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(await ids()).toEqual(["y"]);
    expect(asked).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  test("is kept for a minute after its origin has gone, and then no longer", async () => {
    const { ids, clock, replies } = stage({ [A]: list("x"), [B]: list("y") });
    await ids();
    replies[A] = gone;
    await clock.advance(59_999);
    expect(await ids()).toEqual(["x", "y"]);
    await clock.advance(1);
    expect(await ids()).toEqual(["y"]);
    replies[A] = list("x");
    // An origin that was asked in vain is left alone for a second.
    await clock.advance(1_000);
    expect(await ids()).toEqual(["x", "y"]);
  });

  test("grows older while its origin is asked in vain", async () => {
    const { ids, clock, replies } = stage({ [A]: list("x") });
    await ids();
    replies[A] = silent;
    await clock.advance(57_999);
    const kept = ids();
    await clock.advance(2_000);
    expect(await kept).toEqual(["x"]);
    await clock.advance(1_000);
    const late = ids();
    await clock.advance(2_000);
    expect(await late).toBeUndefined();
  });

  test("that is empty is a list all the same", async () => {
    expect(await stage({ [A]: list() }).ids()).toEqual([]);
  });
});

describe("no list comes of an origin", () => {
  test.each<[string, Reply]>([
    ["that cannot be reached", gone],
    ["that refuses our key", body('{"error":"Unauthorized"}', 401)],
    ["that is dead", body("", 503)],
    ["that sends us elsewhere", () => Promise.resolve(new Response(null, { status: 307, headers: { location: A } }))],
    ["that sends a page", body("<html>models</html>", 200, "text/html")],
    ["that sends broken JSON", body('{"data":[{"id":"x"}')],
    ["that sends something else", body('{"data":{"id":"x"}}')],
    ["that sends a bare list", body('[{"id":"x"}]')],
    ["without a body", () => Promise.resolve(new Response(null))],
    ["that sends far too much", body(`{"data":[{"id":"${"x".repeat(1_048_576)}"}]}`)],
    ["whose body breaks off", () => Promise.resolve(new Response(broken()))],
  ])("%s", async (_, reply) => {
    expect(await stage({ [A]: reply }).merged()).toBeUndefined();
    expect(await stage({ [A]: reply, [B]: list("y") }).ids()).toEqual(["y"]);
  });

  test.each<[string, Reply]>([
    ["that says nothing", silent],
    ["that stops halfway", halfway],
  ])("%s within two seconds", async (_, reply) => {
    const { merged, clock } = stage({ [A]: reply });
    let over = false;
    const result = merged().finally(() => (over = true));
    await clock.advance(1_999);
    expect(over).toBe(false);
    await clock.advance(1);
    await flush();
    expect(await result).toBeUndefined();
    expect(clock.pending).toBe(0);
  });
});

function broken(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
}
