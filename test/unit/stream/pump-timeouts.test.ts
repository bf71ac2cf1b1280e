import { describe, expect, test } from "vitest";
import { startPump, type Stream } from "../../support/pump.ts";

function expectTimedOut({ clock, client, outcome, freed }: Stream) {
  expect(outcome.ending).toMatchObject({ kind: "failed", error: { code: "origin_timeout", status: 504 } });
  expect(outcome.settled).toBe(true);
  expect(client.text).toMatch(/failed: origin_timeout\n$/);
  expect(client.body).toBe("ended");
  expect(freed()).toBeGreaterThan(0);
  expect(clock.pending).toBe(0);
}

describe("the first event", () => {
  test("is waited for until its timeout, then the origin is freed and the client told", async () => {
    const stream = await startPump();
    await stream.clock.advance(59_999);
    expect(stream.outcome.ending).toBe("pending");
    expect(stream.freed()).toBe(0);
    await stream.clock.advance(1);
    expectTimedOut(stream);
    expect(stream.origin.cancelled).toBe(true);
  });

  test("is waited for no longer when the origin has sent no head", async () => {
    const stream = await startPump({ head: false });
    await stream.clock.advance(60_000);
    expectTimedOut(stream);
  });

  test("is the status when it does not come while the head is held", async () => {
    const { clock, client, outcome } = await startPump({ limits: { firstEventTimeoutMs: 1_000 } });
    await clock.advance(1_000);
    expect(outcome.opened).toMatchObject({ kind: "failed", error: { code: "origin_timeout" } });
    expect(client.writes).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test("is not a comment, nor the start of a frame, nor a head", async () => {
    const stream = await startPump({ head: false });
    await stream.clock.advance(20_000);
    await stream.sendHead();
    for (let second = 20; second < 60; second += 1) {
      expect(stream.outcome.ending).toBe("pending");
      await stream.origin.says(second % 2 === 0 ? ": comment\n" : ": com");
      await stream.clock.advance(1_000);
    }
    expectTimedOut(stream);
  });
});

describe("between events", () => {
  test("the idle timeout counts from the last one", async () => {
    const stream = await startPump();
    for (let count = 0; count < 5; count += 1) {
      await stream.origin.says("a\n");
      await stream.clock.advance(29_999);
      expect(stream.outcome.ending).toBe("pending");
    }
    await stream.clock.advance(1);
    expectTimedOut(stream);
    expect(stream.origin.cancelled).toBe(true);
  });

  test("a frame that brings the client nothing is no progress", async () => {
    const stream = await startPump();
    await stream.origin.says("a\n");
    for (let second = 0; second < 30; second += 1) {
      expect(stream.outcome.ending).toBe("pending");
      await stream.origin.says("quiet\n");
      await stream.clock.advance(1_000);
    }
    expectTimedOut(stream);
  });

  test("an opening frame does not start it: the first event is still awaited", async () => {
    const stream = await startPump();
    for (let second = 0; second < 60; second += 1) {
      expect(stream.outcome.ending).toBe("pending");
      await stream.origin.says("role\n");
      await stream.clock.advance(1_000);
    }
    expectTimedOut(stream);
  });

  test.for([
    { name: "comments", line: ": comment\n" },
    { name: "the bytes of a frame that does not end", line: "x" },
    { name: "empty reads", line: "" },
  ])("$name and our keep-alives do not reset it", async ({ line }) => {
    const stream = await startPump();
    await stream.origin.says("a\n");
    for (let second = 0; second < 30; second += 1) {
      expect(stream.outcome.ending).toBe("pending");
      await stream.origin.says(line);
      await stream.clock.advance(1_000);
    }
    expect(stream.client.text).toContain("~\n");
    expectTimedOut(stream);
  });

  test("a burst counts once, from its end", async () => {
    const stream = await startPump();
    await stream.origin.says("a\n".repeat(2_000));
    expect(stream.client.text).toBe("a\n".repeat(2_000));
    await stream.clock.advance(29_999);
    expect(stream.outcome.ending).toBe("pending");
    await stream.clock.advance(1);
    expectTimedOut(stream);
  });

  test("the idle timeout is suspended while a write to the client is pending", async () => {
    const stream = await startPump({ reading: false });
    await stream.origin.says("a\n");
    await stream.clock.advance(90_000);
    expect(stream.outcome.ending).toBe("pending");
    stream.client.readsOn();
    await stream.clock.advance(29_999);
    expect(stream.outcome.ending).toBe("pending");
    await stream.clock.advance(1);
    expectTimedOut(stream);
  });

  test("0 turns the timeouts off", async () => {
    const { clock, outcome, client } = await startPump({
      limits: { firstEventTimeoutMs: 0, idleTimeoutMs: 0, keepAliveMs: 0, clientStallTimeoutMs: 0 },
    });
    await clock.advance(10_000_000);
    expect(client.text).toBe("~\n");
    expect(outcome.ending).toBe("pending");
  });
});

describe("the total timeout", () => {
  test("ends a stream that still flows", async () => {
    const stream = await startPump({ limits: { totalTimeoutMs: 10_000 } });
    for (let second = 0; second < 10; second += 1) {
      expect(stream.outcome.ending).toBe("pending");
      await stream.origin.says("a\n");
      await stream.clock.advance(1_000);
    }
    expectTimedOut(stream);
  });

  test("is a status while the head is held", async () => {
    const { clock, client, outcome, freed } = await startPump({ head: false, limits: { totalTimeoutMs: 1_000 } });
    await clock.advance(1_000);
    expect(outcome.opened).toMatchObject({ kind: "failed", error: { code: "origin_timeout" } });
    expect(client.writes).toEqual([]);
    expect(freed()).toBeGreaterThan(0);
    expect(clock.pending).toBe(0);
  });

  test("does not touch a stream that has ended", async () => {
    const { clock, origin, client, outcome } = await startPump({ limits: { totalTimeoutMs: 1_000 } });
    await origin.says("a\nfinish\ndone\n");
    await clock.advance(10_000);
    expect(outcome.ending).toEqual({ kind: "finished" });
    expect(client.text).toBe("a\nfinish\ndone\n");
  });
});
