import { describe, expect, test } from "vitest";
import { flush } from "../../support/clock.ts";
import { startPump } from "../../support/pump.ts";

const FINISHED = { kind: "finished" };

describe("once everything has finished but the terminator", () => {
  test("two seconds of grace, then the answer ends itself and the origin is freed", async () => {
    const { clock, origin, client, outcome, freed } = await startPump();
    await origin.says("a\nfinish\n");
    await clock.advance(1_999);
    expect(client.text).toBe("a\nfinish\n");
    expect(freed()).toBe(0);
    await clock.advance(1);
    expect(client.text).toBe("a\nfinish\ndone, added\n");
    expect(client.body).toBe("ended");
    expect(outcome).toEqual({ opened: undefined, ending: FINISHED, settled: true });
    expect(freed()).toBeGreaterThan(0);
    expect(origin.cancelled).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test("the grace is two seconds however short a silence may be", async () => {
    const { clock, origin, outcome } = await startPump({ limits: { idleTimeoutMs: 1_500 } });
    await origin.says("a\nfinish\n");
    await clock.advance(1_999);
    expect(outcome.ending).toBe("pending");
    await clock.advance(1);
    expect(outcome.ending).toEqual(FINISHED);
  });

  test("what comes within the grace still counts", async () => {
    const { clock, origin, client, answer, outcome, freed } = await startPump();
    await origin.says("a\nfinish\n");
    await clock.advance(1_500);
    await origin.says("usage\n");
    await clock.advance(400);
    await origin.says("done\n");
    await origin.ends();
    expect(client.text).toBe("a\nfinish\nusage\ndone\n");
    expect(answer.endings).toBe(0);
    expect(outcome).toMatchObject({ ending: FINISHED, settled: true });
    expect(freed()).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test("a connection that breaks has lost nothing, and is the same as its end", async () => {
    const { origin, client, outcome } = await startPump();
    await origin.says("a\nfinish\n");
    await origin.resets();
    expect(client.text).toBe("a\nfinish\ndone, added\n");
    expect(outcome).toMatchObject({ ending: FINISHED, settled: true });
  });

  test.for([
    { name: "comments", line: ": comment\n" },
    { name: "the bytes of a frame that does not end", line: "x" },
  ])("$name do not lengthen the grace", async ({ line }) => {
    const { clock, origin, client, outcome } = await startPump();
    await origin.says("a\nfinish\n");
    for (let time = 0; time < 2_000; time += 500) {
      expect(outcome.ending).toBe("pending");
      await origin.says(line);
      await clock.advance(500);
    }
    expect(outcome.ending).toEqual(FINISHED);
    expect(client.text).toBe("a\nfinish\ndone, added\n");
  });

  test("the grace does not run while the client has not taken what came in it", async () => {
    const { clock, origin, client, answer, outcome } = await startPump({ reading: false });
    await origin.says("a\nfinish\n");
    await client.reads();
    await clock.advance(1_000);
    await origin.says("usage\nerror\n");
    await clock.advance(10_000);
    expect(answer.endings).toBe(0);
    client.readsOn();
    await flush();
    expect(client.text).toBe("a\nfinish\nusage\nfailed: origin_error\n");
    expect(outcome.ending).toMatchObject({ kind: "failed", error: { code: "origin_error" } });
  });

  test("a failure within the grace is a failure", async () => {
    const { origin, client, outcome } = await startPump();
    await origin.says("a\nfinish\n");
    await origin.says("error\n");
    expect(client.text).toBe("a\nfinish\nfailed: origin_error\n");
    expect(outcome.ending).toMatchObject({ kind: "failed", error: { code: "origin_error" } });
  });
});

describe("after the terminator", () => {
  test("the client's body ends at once, while the origin's is read to its end", async () => {
    const { clock, origin, client, outcome, freed } = await startPump();
    await origin.says("a\nfinish\ndone\n");
    expect(client.body).toBe("ended");
    expect(outcome).toEqual({ opened: undefined, ending: FINISHED, settled: false });
    await clock.advance(500);
    await origin.says("more\n");
    expect(origin.unread).toBe(0);
    await origin.ends();
    expect(outcome.settled).toBe(true);
    expect(freed()).toBe(0);
    expect(origin.cancelled).toBe(false);
    expect(clock.pending).toBe(0);
  });

  test("an origin that does not end is freed after a second", async () => {
    const { clock, origin, outcome, freed } = await startPump();
    await origin.says("a\nfinish\ndone\n");
    await clock.advance(999);
    expect(freed()).toBe(0);
    expect(outcome.settled).toBe(false);
    await clock.advance(1);
    expect(freed()).toBe(1);
    expect(origin.cancelled).toBe(true);
    expect(outcome).toMatchObject({ ending: FINISHED, settled: true });
    expect(clock.pending).toBe(0);
  });

  test("a connection that breaks is no fault any more", async () => {
    const { clock, origin, client, outcome } = await startPump();
    await origin.says("a\nfinish\ndone\n");
    await origin.resets();
    expect(client.text).toBe("a\nfinish\ndone\n");
    expect(outcome).toEqual({ opened: undefined, ending: FINISHED, settled: true });
    expect(clock.pending).toBe(0);
  });

  test.for([
    { name: "in the same piece", pieces: ["a\nfinish\ndone\nb\nerror\ngarbage\n"] },
    { name: "in pieces of their own", pieces: ["a\nfinish\ndone\n", "b\n", "error\n", "garbage\n", "done\n"] },
  ])("frames are ignored that come $name", async ({ pieces }) => {
    const { origin, client, answer, outcome } = await startPump();
    for (const piece of pieces) await origin.says(piece);
    await origin.ends();
    expect(client.text).toBe("a\nfinish\ndone\n");
    expect(answer.pushed).toEqual(["a", "finish", "done"]);
    expect(outcome).toEqual({ opened: undefined, ending: FINISHED, settled: true });
  });

  test("a slow client still gets the last bytes, though the origin was freed meanwhile", async () => {
    const { clock, origin, client, outcome, freed } = await startPump({ reading: false });
    await origin.says("a\n");
    await client.reads();
    await origin.says("finish\ndone\n");
    await clock.advance(50_000);
    expect(freed()).toBe(1);
    expect(outcome.ending).toBe("pending");
    client.readsOn();
    await flush();
    expect(client.text).toBe("a\nfinish\ndone\n");
    expect(client.body).toBe("ended");
    expect(outcome).toMatchObject({ ending: FINISHED, settled: true });
    expect(clock.pending).toBe(0);
  });
});

describe("the first cause wins", () => {
  test("a failure is not undone by a client that leaves before it has read it", async () => {
    const { clock, origin, client, outcome, leave } = await startPump({ reading: false });
    await origin.says("a\n");
    await client.reads();
    await origin.says("error\n");
    await leave();
    expect(outcome).toMatchObject({ ending: { kind: "failed", error: { code: "origin_error" } }, settled: true });
    expect(clock.pending).toBe(0);
  });

  test("a timeout is not undone by what the origin says afterwards", async () => {
    const { clock, origin, client, answer, outcome } = await startPump({
      reading: false,
      limits: { totalTimeoutMs: 3_000 },
    });
    await origin.says("a\n");
    await clock.advance(3_000);
    await origin.says("b\nfinish\ndone\n").catch(() => {});
    client.readsOn();
    await flush();
    expect(client.text).toBe("a\nfailed: origin_timeout\n");
    expect(answer.pushed).toEqual(["a"]);
    expect(outcome).toMatchObject({ ending: { kind: "failed", error: { code: "origin_timeout" } }, settled: true });
    expect(clock.pending).toBe(0);
  });

  test("a finished stream stays so when the client leaves afterwards", async () => {
    const { origin, outcome, leave, client } = await startPump();
    await origin.says("a\nfinish\ndone\n");
    await leave();
    await origin.ends();
    expect(client.body).toBe("ended");
    expect(outcome).toEqual({ opened: undefined, ending: FINISHED, settled: true });
  });
});

test("frames after the last finish do not put off the end", async () => {
  const { clock, origin, client, outcome, freed } = await startPump();
  await origin.says("a\nfinish\n");
  for (let time = 0; time < 2_000; time += 500) {
    expect(outcome.ending).toBe("pending");
    await origin.says("quiet\n");
    await clock.advance(500);
  }
  expect(outcome.ending).toEqual(FINISHED);
  expect(client.text).toBe("a\nfinish\ndone, added\n");
  expect(freed()).toBeGreaterThan(0);
});
