import { describe, expect, test } from "vitest";
import { flush } from "../../support/clock.ts";
import { startPump } from "../../support/pump.ts";

const FINISHED = { kind: "finished" };

describe("frames", () => {
  test("reach the client in the turn in which they come", async () => {
    const { origin, client } = await startPump();
    await origin.says("a\n");
    expect(client.writes).toEqual(["a\n"]);
    await origin.says("b\n");
    expect(client.writes).toEqual(["a\n", "b\n"]);
  });

  test("that come in one piece leave as one write", async () => {
    const { origin, client } = await startPump();
    await origin.says("a\nb\nc\n");
    expect(client.writes).toEqual(["a\nb\nc\n"]);
  });

  test("that come in halves leave whole", async () => {
    const { origin, client } = await startPump();
    await origin.says("a\nhe");
    await origin.says("llo\nb");
    expect(client.writes).toEqual(["a\n", "hello\n"]);
  });

  test("that say nothing to the client write nothing", async () => {
    const { origin, client, outcome } = await startPump();
    await origin.says("quiet\n");
    expect(client.writes).toEqual([]);
    expect(outcome.opened).toBeUndefined();
  });

  test("are counted, and the times of the head, of the first, the first that says something, and the last noted", async () => {
    const { clock, origin, pump, sendHead } = await startPump({ head: false });
    expect(pump.seen).toEqual({ events: 0 });
    await clock.advance(100);
    await sendHead();
    expect(pump.seen).toEqual({ events: 0, headAt: 100 });
    await clock.advance(50);
    await origin.says(": comment\n");
    expect(pump.seen).toEqual({ events: 0, headAt: 100 });
    await clock.advance(50);
    await origin.says("role\n");
    expect(pump.seen).toEqual({ events: 1, headAt: 100, firstEventAt: 200, lastEventAt: 200 });
    await clock.advance(50);
    await origin.says("a\nb\n");
    await clock.advance(50);
    await origin.says("finish\n");
    const seen = { headAt: 100, firstEventAt: 200, firstWordAt: 250, lastEventAt: 300 };
    expect(pump.seen).toEqual({ ...seen, events: 4 });
    // Usage and the terminator come when nobody waits for a token any more.
    await clock.advance(50);
    await origin.says("quiet\ndone\n");
    expect(pump.seen).toEqual({ ...seen, events: 6 });
  });
});

describe("the end of the origin's body", () => {
  test("after its terminator is the end of a finished answer", async () => {
    const { clock, origin, client, answer, outcome, freed } = await startPump();
    await origin.says("a\nfinish\ndone\n");
    await origin.ends();
    expect(client.text).toBe("a\nfinish\ndone\n");
    expect(client.body).toBe("ended");
    expect(outcome).toEqual({ opened: undefined, ending: FINISHED, settled: true });
    expect(answer.endings).toBe(0);
    expect(freed()).toBe(0);
    expect(origin.cancelled).toBe(false);
    expect(clock.pending).toBe(0);
  });

  test("is told to the answer, which may add what is missing", async () => {
    const { clock, origin, client, answer, outcome, freed } = await startPump();
    await origin.says("a\nfinish\n");
    await origin.ends();
    expect(client.text).toBe("a\nfinish\ndone, added\n");
    expect(client.body).toBe("ended");
    expect(outcome).toEqual({ opened: undefined, ending: FINISHED, settled: true });
    expect(answer.endings).toBe(1);
    expect(freed()).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test("is told to the parser first, whose last frame still counts", async () => {
    const { origin, client, answer, outcome } = await startPump();
    await origin.says("a\nfinish\nusage");
    await origin.ends();
    expect(answer.pushed).toEqual(["a", "finish", "usage"]);
    expect(client.text).toBe("a\nfinish\nusage\ndone, added\n");
    expect(outcome.ending).toEqual(FINISHED);
  });

  test("is a cut when the answer says so", async () => {
    const { clock, origin, client, outcome } = await startPump();
    await origin.says("a\n");
    await origin.ends();
    expect(client.text).toBe("a\nfailed: origin_cut\n");
    expect(client.body).toBe("ended");
    expect(outcome).toMatchObject({ ending: { kind: "failed", error: { code: "origin_cut" } }, settled: true });
    expect(clock.pending).toBe(0);
  });

  test("may be the parser's failure, which comes after the frames before it", async () => {
    const { origin, client, answer, outcome } = await startPump();
    await origin.says("a\ngarbage");
    await origin.ends();
    expect(client.text).toBe("a\nfailed: origin_protocol\n");
    expect(outcome.ending).toMatchObject({ kind: "failed", error: { code: "origin_protocol" } });
    expect(answer.endings).toBe(0);
  });
});

describe("a failure in the stream", () => {
  test.for([
    { name: "that the parser finds", line: "garbage", code: "origin_protocol" },
    { name: "that the answer finds", line: "error", code: "origin_error" },
    { name: "of our own making", line: "throw", code: "internal" },
  ])("$name ends it in-band, after the frames before it, and frees the origin", async ({ line, code }) => {
    const { clock, origin, client, answer, outcome, freed } = await startPump();
    await origin.says("a\n");
    await origin.says(`b\n${line}\nc\n`);
    expect(client.text).toBe(`a\nb\nfailed: ${code}\n`);
    expect(client.body).toBe("ended");
    expect(answer.pushed).not.toContain("c");
    expect(answer.endings).toBe(0);
    expect(outcome).toMatchObject({ opened: undefined, ending: { kind: "failed", error: { code } }, settled: true });
    expect(freed()).toBeGreaterThan(0);
    expect(origin.cancelled).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test("like a broken connection is a cut", async () => {
    const { clock, origin, client, outcome, freed } = await startPump();
    await origin.says("a\n");
    await origin.resets();
    expect(client.text).toBe("a\nfailed: origin_cut\n");
    expect(client.body).toBe("ended");
    expect(outcome).toMatchObject({ ending: { kind: "failed", error: { code: "origin_cut" } }, settled: true });
    expect(outcome.ending).toHaveProperty("error.cause.message", "connection reset");
    expect(freed()).toBeGreaterThan(0);
    expect(clock.pending).toBe(0);
  });

  test("frees the origin at once, though the client has not taken its bytes yet", async () => {
    const { origin, client, outcome, freed } = await startPump({ reading: false });
    await origin.says("a\n");
    await client.reads();
    await origin.says("error\n");
    expect(freed()).toBeGreaterThan(0);
    expect(origin.cancelled).toBe(true);
    expect(outcome.ending).toMatchObject({ kind: "failed" });
    expect(outcome.settled).toBe(false);
    await client.reads();
    await client.reads();
    expect(client.text).toBe("a\nfailed: origin_error\n");
    expect(client.body).toBe("ended");
    expect(outcome.settled).toBe(true);
  });
});

describe("a slow client", () => {
  test("slows the origin down: nothing is read until it has taken what there is", async () => {
    const { origin, client } = await startPump({ reading: false });
    await origin.says("a\n");
    for (const line of ["b\n", "c\n", "d\n", "e\n", "f\n"]) await origin.says(line);
    const before = origin.unread;
    expect(before).toBeGreaterThanOrEqual(4);
    await client.reads();
    await client.reads();
    expect(client.text).toBe("a\nb\n");
    expect(origin.unread).toBe(before - 2);
  });

  test("gets everything in order", async () => {
    const { origin, client, outcome } = await startPump({ reading: false });
    await origin.says("role\n");
    for (const line of ["a\n", "b\n", "c\n", "finish\ndone\n"]) await origin.says(line);
    await origin.ends();
    expect(client.text).toBe("");
    client.readsOn();
    await flush();
    expect(client.text).toBe("role\na\nb\nc\nfinish\ndone\n");
    expect(outcome.ending).toEqual(FINISHED);
  });
});
