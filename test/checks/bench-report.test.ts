import { expect, test } from "vitest";
import { cpuBetween } from "../../bench/process/accounting.ts";
import { Book } from "../../bench/report/book.ts";
import type { RowSpec } from "../../bench/report/row.ts";
import { percentile, spreadOf } from "../../bench/report/spread.ts";
import { toTable } from "../../bench/report/table.ts";

test.each([
  [[5], 50, 5],
  [[3, 1, 2], 50, 2],
  [[4, 1], 50, 2.5],
  [[1, 2, 3, 4, 5], 0, 1],
  [[1, 2, 3, 4, 5], 100, 5],
  [[10, 20, 30, 40, 50], 75, 40],
  [[0, 100], 99, 99],
])("of %j the percentile %d is %d", (values, percent, expected) => {
  expect(percentile(values, percent)).toBe(expected);
});

test("of nothing there is no percentile", () => {
  expect(() => percentile([], 50)).toThrow("there is no percentile of nothing");
});

test("rounds are summed up by their middle and their ends", () => {
  expect(spreadOf([7, 1, 3, 9, 5])).toEqual({ median: 5, min: 1, max: 9 });
});

test("a ratio is taken round by round, so that a slow round of both does not show", () => {
  const book = new Book();
  note(book, "cpu", { sluice: [11, 110, 12], floor: [10, 100, 10] });
  const spec: RowSpec = { name: "cpu", unit: "µs", over: "floor", goal: { of: "ratio", atMost: 1.15 } };
  expect(book.rowFor(spec)).toEqual({
    name: "cpu",
    unit: "µs",
    added: false,
    cells: { sluice: { median: 12, min: 11, max: 110 }, floor: { median: 10, min: 10, max: 100 } },
    ratio: { median: 1.1, min: 1.1, max: 1.2, over: "floor" },
    goal: { text: "≤ 1.15×", met: true },
  });
});

test("what is added is the difference to the direct way of the same round", () => {
  const book = new Book();
  note(book, "first", { direct: [1, 10, 2], sluice: [4, 12, 4] });
  const spec: RowSpec = { name: "first", unit: "ms", added: true, goal: { of: "value", atMost: 1 } };
  expect(book.rowFor(spec)).toEqual({
    name: "first",
    unit: "ms",
    added: true,
    cells: { direct: { median: 2, min: 1, max: 10 }, sluice: { median: 2, min: 2, max: 3 } },
    goal: { text: "≤ 1", met: false },
  });
});

test("a contender that broke has no figure, and where the direct way broke nobody has", () => {
  const book = new Book();
  note(book, "cpu", { sluice: [1], floor: [2] });
  book.breaks("cpu", "sluice");
  const goal = { of: "ratio", atMost: 1 } as const;
  expect(book.rowFor({ name: "cpu", unit: "µs", over: "floor", goal })).toEqual({
    name: "cpu",
    unit: "µs",
    added: false,
    cells: { floor: { median: 2, min: 2, max: 2 }, sluice: "broken" },
  });
  note(book, "first", { sluice: [3] });
  book.breaks("first", "direct");
  expect(book.rowFor({ name: "first", unit: "ms", added: true }).cells).toEqual({ sluice: "broken", direct: "broken" });
});

test("the table shows who took part, three figures that count, and the spread where there is one", () => {
  const rows = [
    {
      name: "CPU",
      unit: "µs",
      added: false,
      cells: { sluice: { median: 74.26, min: 70, max: 110.4 }, floor: one(70) },
      ratio: { median: 1.061, min: 1, max: 1.5, over: "floor" },
      goal: { text: "≤ 1.15×", met: true },
    },
    { name: "wait", unit: "ms", added: true, cells: { sluice: one(0.5), floor: one(-0.25), direct: one(1234) } },
    { name: "stop", unit: "ms", added: false, cells: { sluice: "broken" as const } },
  ];
  expect(toTable(rows, ["sluice", "native", "floor", "direct"])).toBe(
    `
| what | unit | sluice          | floor | direct | ratio                    | goal        |
| ---- | ---- | --------------- | ----- | ------ | ------------------------ | ----------- |
| CPU  | µs   | 74.3 (70.0–110) | 70.0  |        | 1.06 (1.00–1.50) × floor | ≤ 1.15× met |
| wait | ms   | +0.50           | -0.25 | 1234   |                          |             |
| stop | ms   | broken          |       |        |                          |             |
`.trim(),
  );
});

test("CPU is the threads' own time, or the process's ticks where a thread has ended or no time is kept", () => {
  const before = { threads: threads(1_000_000, 2_000_000), ticks: 10 };
  expect(cpuBetween(before, { threads: threads(4_000_000, 2_500_000, 500_000), ticks: 11 })).toBe(4);
  expect(cpuBetween(before, { threads: threads(4_000_000), ticks: 13 })).toBe(30);
  expect(cpuBetween({ threads: threads(), ticks: 10 }, { threads: threads(), ticks: 12 })).toBe(20);
});

function one(value: number) {
  return { median: value, min: value, max: value };
}

function threads(...times: number[]): Map<string, number> {
  return new Map(times.map((time, at) => [String(at), time]));
}

function note(book: Book, row: string, values: Readonly<Record<string, readonly number[]>>): void {
  for (const [contender, rounds] of Object.entries(values)) {
    for (const value of rounds) book.note(row, contender, value);
  }
}
