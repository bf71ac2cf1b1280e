import { describe, expect, test } from "vitest";
import { Deadlines } from "../../../src/stream/deadlines.ts";
import { FakeClock } from "../../support/clock.ts";

function start() {
  const clock = new FakeClock();
  const due: string[] = [];
  const deadlines = new Deadlines<"a" | "b" | "c">(clock, (name) => due.push(`${name} at ${clock.now()}`));
  return { clock, due, deadlines };
}

test("a deadline falls due once, when its time has come", async () => {
  const { clock, due, deadlines } = start();
  deadlines.set("a", 100);
  await clock.advance(99);
  expect(due).toEqual([]);
  await clock.advance(1);
  expect(due).toEqual(["a at 100"]);
  await clock.advance(1_000);
  expect(due).toEqual(["a at 100"]);
  expect(clock.pending).toBe(0);
});

test.for([
  {
    name: "in the order of their times",
    set: [
      ["a", 300],
      ["b", 100],
      ["c", 200],
    ],
    expected: ["b at 100", "c at 200", "a at 300"],
  },
  {
    name: "in the order of setting at the same time",
    set: [
      ["b", 100],
      ["a", 100],
    ],
    expected: ["b at 100", "a at 100"],
  },
] as const)("several deadlines fall due $name", async ({ set, expected }) => {
  const { clock, due, deadlines } = start();
  for (const [name, ms] of set) deadlines.set(name, ms);
  await clock.advance(1_000);
  expect(due).toEqual(expected);
});

describe("a deadline that is moved", () => {
  test("to later falls due at the later time alone", async () => {
    const { clock, due, deadlines } = start();
    deadlines.set("a", 100);
    await clock.advance(60);
    deadlines.set("a", 100);
    await clock.advance(1_000);
    expect(due).toEqual(["a at 160"]);
  });

  test("to earlier falls due at the earlier time alone", async () => {
    const { clock, due, deadlines } = start();
    deadlines.set("a", 1_000);
    deadlines.set("a", 10);
    await clock.advance(5_000);
    expect(due).toEqual(["a at 10"]);
  });

  test("again and again takes one timer, and no timer is put back", async () => {
    const { clock, due, deadlines } = start();
    let timers = 0;
    const counting = new Deadlines<"a">(
      { now: () => clock.now(), after: (ms, task) => ((timers += 1), clock.after(ms, task)) },
      () => {},
    );
    for (let time = 0; time < 1_000; time += 1) {
      deadlines.set("a", 5_000);
      counting.set("a", 5_000);
      await clock.advance(1);
    }
    expect(timers).toBe(1);
    expect(clock.pending).toBe(2);
    await clock.advance(10_000);
    expect(timers).toBe(2);
    expect(due).toEqual(["a at 5999"]);
  });
});

describe("a deadline does not fall due", () => {
  test("after it was cleared", async () => {
    const { clock, due, deadlines } = start();
    deadlines.set("a", 100);
    deadlines.set("b", 200);
    deadlines.clear("a");
    await clock.advance(1_000);
    expect(due).toEqual(["b at 200"]);
  });

  test.for([0, -1])("when it is set to %i, which turns it off", async (ms) => {
    const { clock, due, deadlines } = start();
    deadlines.set("a", 100);
    deadlines.set("a", ms);
    deadlines.set("b", ms);
    await clock.advance(1_000);
    expect(due).toEqual([]);
  });

  test("after a stop, which leaves no timer either", async () => {
    const { clock, due, deadlines } = start();
    deadlines.set("a", 100);
    deadlines.set("b", 200);
    deadlines.stop();
    expect(clock.pending).toBe(0);
    await clock.advance(1_000);
    expect(due).toEqual([]);
  });
});

test("a deadline can be set again after a stop", async () => {
  const { clock, due, deadlines } = start();
  deadlines.set("a", 100);
  deadlines.stop();
  deadlines.set("a", 300);
  await clock.advance(1_000);
  expect(due).toEqual(["a at 300"]);
});

describe("what falls due may", () => {
  test("set itself again", async () => {
    const clock = new FakeClock();
    const times: number[] = [];
    const deadlines = new Deadlines<"a">(clock, () => {
      times.push(clock.now());
      deadlines.set("a", 100);
    });
    deadlines.set("a", 100);
    await clock.advance(350);
    expect(times).toEqual([100, 200, 300]);
    expect(clock.pending).toBe(1);
  });

  test("clear another that falls due at the same time", async () => {
    const clock = new FakeClock();
    const due: string[] = [];
    const deadlines = new Deadlines<"a" | "b">(clock, (name) => {
      due.push(name);
      deadlines.clear("b");
    });
    deadlines.set("a", 100);
    deadlines.set("b", 100);
    await clock.advance(1_000);
    expect(due).toEqual(["a"]);
  });

  test("stop them all", async () => {
    const clock = new FakeClock();
    const due: string[] = [];
    const deadlines = new Deadlines<"a" | "b">(clock, (name) => {
      due.push(name);
      deadlines.stop();
    });
    deadlines.set("a", 100);
    deadlines.set("b", 100);
    await clock.advance(1_000);
    expect(due).toEqual(["a"]);
    expect(clock.pending).toBe(0);
  });
});

test("a clock that has leapt makes all that passed fall due, the oldest first", () => {
  let now = 0;
  const timers: (() => void)[] = [];
  const due: string[] = [];
  const clock = { now: () => now, after: (_ms: number, task: () => void) => (timers.push(task), () => {}) };
  const deadlines = new Deadlines<"a" | "b" | "c">(clock, (name) => due.push(name));
  deadlines.set("b", 200);
  deadlines.set("a", 100);
  deadlines.set("c", 90_000);
  now = 60_000;
  timers.at(-1)?.();
  expect(due).toEqual(["a", "b"]);
});
