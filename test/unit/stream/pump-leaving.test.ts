import { describe, expect, test } from "vitest";
import { startPump, type Stream } from "../../support/pump.ts";

const leftWhile = (stage: string) => ({ kind: "client_left", stage });

function expectFreed({ clock, outcome, freed }: Stream) {
  expect(freed()).toBeGreaterThan(0);
  expect(outcome.settled).toBe(true);
  expect(clock.pending).toBe(0);
}

interface Leaving {
  readonly name: string;
  readonly stage: string;
  readonly before: (stream: Stream) => Promise<void>;
}

const LEAVINGS: readonly Leaving[] = [
  {
    name: "before its first word",
    stage: "prefill",
    before: async () => {},
  },
  {
    name: "after the role",
    stage: "prefill",
    before: async ({ origin }) => origin.says("role\n"),
  },
  {
    name: "before its first word, after the hold",
    stage: "prefill",
    before: async ({ clock }) => clock.advance(3_000),
  },
  {
    name: "in the middle",
    stage: "streaming",
    before: async ({ origin }) => origin.says("role\na\n"),
  },
  {
    name: "in the grace",
    stage: "streaming",
    before: async ({ origin }) => origin.says("a\nfinish\n"),
  },
];

describe("when the runtime says that the client has left", () => {
  test.for(LEAVINGS)("the origin's body is cancelled: $name", async ({ stage, before }) => {
    const stream = await startPump();
    await before(stream);
    const written = stream.client.text;
    await stream.leave();
    expect(stream.outcome.ending).toEqual(leftWhile(stage));
    expect(stream.origin.cancelled).toBe(true);
    expect(stream.client.text).toBe(written);
    expect(stream.client.body).toBe("broken");
    expectFreed(stream);
  });

  test("the origin's request is closed, though there is no head yet", async () => {
    const stream = await startPump({ head: false });
    await stream.leave();
    expect(stream.outcome.opened).toEqual(leftWhile("waiting"));
    expect(stream.outcome.ending).toEqual(leftWhile("waiting"));
    expectFreed(stream);
  });

  test("the same when the head has gone out before the origin's came", async () => {
    const stream = await startPump({ head: false });
    await stream.clock.advance(2_000);
    await stream.leave();
    expect(stream.outcome.opened).toBeUndefined();
    expect(stream.outcome.ending).toEqual(leftWhile("waiting"));
    expectFreed(stream);
  });

  test("while a write waits, the write waits no longer", async () => {
    const stream = await startPump({ reading: false });
    await stream.origin.says("a\n");
    await stream.origin.says("b\n");
    await stream.leave();
    expect(stream.outcome.ending).toEqual(leftWhile("streaming"));
    expect(stream.origin.cancelled).toBe(true);
    expectFreed(stream);
  });

  test("while the last bytes wait, the stream was ending", async () => {
    const stream = await startPump({ reading: false });
    await stream.origin.says("a\nfinish\ndone\n");
    await stream.leave();
    expect(stream.outcome.ending).toEqual(leftWhile("ending"));
    expect(stream.origin.cancelled).toBe(true);
    expectFreed(stream);
  });

  test.for([
    { name: "alone", taken: true },
    { name: "behind others", taken: false },
  ])("while the bytes of a timeout wait $name, nothing is left running", async ({ taken }) => {
    const stream = await startPump({ reading: false, limits: { totalTimeoutMs: 3_000 } });
    await stream.origin.says("a\n");
    if (taken) await stream.client.reads();
    await stream.clock.advance(3_000);
    await stream.leave();
    expect(stream.outcome.ending).toMatchObject({ kind: "failed", error: { code: "origin_timeout" } });
    expectFreed(stream);
  });

  test("what the origin says afterwards is not even read", async () => {
    const stream = await startPump({ head: false });
    await stream.leave();
    await stream.sendHead();
    expect(stream.answer.pushed).toEqual([]);
    expect(stream.outcome.ending).toEqual(leftWhile("waiting"));
  });

  test("before anything began, nothing begins", async () => {
    const stream = await startPump({ leftBefore: true, limits: { holdMs: 0 } });
    expect(stream.outcome.opened).toEqual(leftWhile("waiting"));
    expect(stream.outcome.ending).toEqual(leftWhile("waiting"));
    expect(stream.origin.cancelled).toBe(true);
    expect(stream.client.body).toBe("broken");
    expectFreed(stream);
  });
});

describe("when the client's body is cancelled", () => {
  test("the next event finds out", async () => {
    const stream = await startPump();
    await stream.origin.says("a\n");
    await stream.client.cancels();
    expect(stream.freed()).toBe(0);
    await stream.origin.says("b\n");
    expect(stream.outcome.ending).toEqual(leftWhile("streaming"));
    expect(stream.origin.cancelled).toBe(true);
    expectFreed(stream);
  });

  test("the next keep-alive finds out", async () => {
    const stream = await startPump();
    await stream.origin.says("a\n");
    await stream.client.cancels();
    await stream.clock.advance(5_000);
    expect(stream.outcome.ending).toEqual(leftWhile("streaming"));
    expect(stream.origin.cancelled).toBe(true);
    expectFreed(stream);
  });

  test("the keep-alive that ends the hold finds out, before there is a head", async () => {
    const stream = await startPump({ head: false });
    await stream.client.cancels();
    await stream.clock.advance(2_000);
    expect(stream.outcome.ending).toEqual(leftWhile("waiting"));
    expectFreed(stream);
  });

  test("a write that waits finds out at once", async () => {
    const stream = await startPump({ reading: false });
    await stream.origin.says("a\n");
    await stream.client.cancels();
    expect(stream.outcome.ending).toEqual(leftWhile("streaming"));
    expectFreed(stream);
  });

  test("the end of the stream finds out, and that is no fault of the origin's", async () => {
    const stream = await startPump();
    await stream.origin.says("a\n");
    await stream.client.cancels();
    await stream.origin.says("finish\ndone\n");
    expect(stream.outcome.ending).toEqual(leftWhile("ending"));
    expectFreed(stream);
  });
});
