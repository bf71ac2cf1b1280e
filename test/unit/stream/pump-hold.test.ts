import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { startPump } from "../../support/pump.ts";

describe("while nothing has been said", () => {
  test("the head is held, and so are opening frames", async () => {
    const { clock, origin, client, outcome } = await startPump();
    await origin.says("role\nrole\n");
    await clock.advance(1_999);
    expect(outcome.opened).toBe("pending");
    expect(client.writes).toEqual([]);
  });

  test("the first word lets the head out, with what was held before it", async () => {
    const { clock, origin, client, outcome } = await startPump();
    await origin.says("role\n");
    await clock.advance(500);
    await origin.says("a\n");
    expect(outcome.opened).toBeUndefined();
    expect(client.text).toBe("role\na\n");
    await clock.advance(3_000);
    expect(client.text).toBe("role\na\n");
  });

  test("the end of the hold lets the head out, with what was held and a keep-alive", async () => {
    const { clock, origin, client, outcome } = await startPump();
    await origin.says("role\n");
    await clock.advance(2_000);
    expect(outcome.opened).toBeUndefined();
    expect(client.writes).toEqual(["role\n~\n"]);
    await origin.says("a\n");
    expect(client.text).toBe("role\n~\na\n");
  });

  test("the hold ends though the origin has not even sent a head", async () => {
    const { clock, client, outcome, sendHead, origin } = await startPump({ head: false });
    await clock.advance(2_000);
    expect(outcome.opened).toBeUndefined();
    expect(client.writes).toEqual(["~\n"]);
    await sendHead();
    await origin.says("a\n");
    expect(client.text).toBe("~\na\n");
  });

  test("comments neither let the head out nor lengthen the hold", async () => {
    const { clock, origin, client, outcome } = await startPump();
    for (let time = 0; time < 1_900; time += 100) {
      await origin.says(": comment\n");
      await clock.advance(100);
    }
    expect(outcome.opened).toBe("pending");
    await clock.advance(100);
    expect(client.writes).toEqual(["~\n"]);
  });

  test("an answer that ends at once goes out whole", async () => {
    const { origin, client, outcome } = await startPump();
    await origin.says("role\na\nfinish\ndone\n");
    await origin.ends();
    expect(outcome).toEqual({ opened: undefined, ending: { kind: "finished" }, settled: true });
    expect(client.text).toBe("role\na\nfinish\ndone\n");
    expect(client.body).toBe("ended");
  });
});

describe("a failure while the head is held becomes the answer's status: nothing was written", () => {
  test.for([
    { name: "an error frame", says: "error\n", code: "origin_error" },
    { name: "an error frame after the role", says: "role\nerror\n", code: "origin_error" },
    { name: "a broken frame", says: "garbage\n", code: "origin_protocol" },
    { name: "a frame that we choke on", says: "role\nthrow\n", code: "internal" },
  ])("$name", async ({ says, code }) => {
    const { clock, origin, client, outcome, freed } = await startPump();
    await origin.says(says);
    expect(outcome.opened).toMatchObject({ kind: "failed", error: { code } });
    expect(outcome.ending).toEqual(outcome.opened);
    expect(outcome.settled).toBe(true);
    expect(client.writes).toEqual([]);
    expect(client.body).toBe("broken");
    expect(freed()).toBeGreaterThan(0);
    expect(origin.cancelled).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test("the role in one piece and the error in the next", async () => {
    const { origin, client, outcome } = await startPump();
    await origin.says("role\n");
    await origin.says("error\n");
    expect(outcome.opened).toMatchObject({ kind: "failed", error: { code: "origin_error" } });
    expect(client.writes).toEqual([]);
  });

  test("an empty body", async () => {
    const { clock, origin, client, outcome } = await startPump();
    await origin.ends();
    expect(outcome.opened).toMatchObject({ kind: "failed", error: { code: "origin_cut" } });
    expect(client.writes).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test("a broken connection", async () => {
    const { clock, origin, client, outcome } = await startPump();
    await origin.says("role\n");
    await origin.resets();
    expect(outcome.opened).toMatchObject({ kind: "failed", error: { code: "origin_cut" } });
    expect(client.writes).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test("an origin that gave no body, in the words of whoever asked it", async () => {
    const { clock, client, outcome, refuse } = await startPump({ head: false });
    const error = new GatewayError("origin_unreachable", "nobody listens");
    await refuse(error);
    expect(outcome).toEqual({ opened: { kind: "failed", error }, ending: { kind: "failed", error }, settled: true });
    expect(client.writes).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test("anything else that was thrown instead of a body", async () => {
    const { outcome, refuse } = await startPump({ head: false });
    const cause = new TypeError("10.0.0.1");
    await refuse(cause);
    expect(outcome.opened).toMatchObject({ kind: "failed", error: { code: "internal", cause } });
  });
});

describe("a failure after the hold is told in-band", () => {
  test("an error frame", async () => {
    const { clock, origin, client, outcome } = await startPump();
    await origin.says("role\n");
    await clock.advance(2_000);
    await origin.says("error\n");
    expect(outcome.opened).toBeUndefined();
    expect(client.text).toBe("role\n~\nfailed: origin_error\n");
    expect(client.body).toBe("ended");
    expect(outcome.ending).toMatchObject({ kind: "failed", error: { code: "origin_error" } });
    expect(clock.pending).toBe(0);
  });

  test("an error frame in the same piece as the first word", async () => {
    const { origin, client, outcome } = await startPump();
    await origin.says("role\na\nerror\n");
    expect(outcome.opened).toBeUndefined();
    expect(client.text).toBe("role\na\nfailed: origin_error\n");
    expect(client.body).toBe("ended");
  });

  test("an origin that gives no body after all", async () => {
    const { clock, client, outcome, refuse } = await startPump({ head: false });
    await clock.advance(2_000);
    await refuse(new GatewayError("origin_unreachable", "nobody listens"));
    expect(client.text).toBe("~\nfailed: origin_unreachable\n");
    expect(client.body).toBe("ended");
    expect(outcome).toMatchObject({ opened: undefined, ending: { kind: "failed" }, settled: true });
  });
});

describe("without a hold", () => {
  test("the head goes out at once, without a keep-alive", async () => {
    const { clock, client, outcome } = await startPump({ head: false, limits: { holdMs: 0 } });
    expect(outcome.opened).toBeUndefined();
    await clock.advance(4_999);
    expect(client.writes).toEqual([]);
  });

  test("an opening frame goes out as it comes, and an error is told in-band", async () => {
    const { client, outcome, origin } = await startPump({ limits: { holdMs: 0 } });
    await origin.says("role\n");
    expect(client.writes).toEqual(["role\n"]);
    await origin.says("error\n");
    expect(client.text).toBe("role\nfailed: origin_error\n");
    expect(outcome.opened).toBeUndefined();
  });
});
