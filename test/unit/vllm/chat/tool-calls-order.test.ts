/** Several tool calls of one choice: one after the other, none lost, the first not delayed. */
import { describe, expect, test } from "vitest";
import { show, toolCallParts, toolEntries } from "../../../support/chat-machines.ts";
import { ToolCalls } from "../../../../src/vllm/chat/tool-calls.ts";

const start = (index: number, args = "") => ({
  index,
  id: `id-${index}`,
  type: "function",
  function: { name: `f${index}`, arguments: args },
});
const tail = (index: number, args: string) => ({ index, function: { arguments: args } });

/** Returns what each entry brings about at once, and then the end. */
function steps(entries: readonly object[], whole = true): unknown[] {
  const calls = new ToolCalls(toolCallParts());
  return [...entries.map((entry) => calls.push([entry]).map(show)), calls.close(whole)];
}

describe("calls that come one after the other", () => {
  test("leave as they come", () => {
    const entries = [start(0), tail(0, "{}"), start(1), tail(1, "{"), tail(1, "}"), start(2, "{}")];
    expect(steps(entries)).toEqual([...entries.map((entry) => [entry]), []]);
  });

  test("may all stand in one delta", () => {
    expect(toolEntries([[start(0, "{}"), start(1, "{}"), start(2, "{}")]])).toEqual([
      start(0, "{}"),
      start(1, "{}"),
      start(2, "{}"),
    ]);
  });

  test("count from 0 in the order in which they began", () => {
    expect(toolEntries([[start(5, "{}")], [start(2, "{}")], [start(9, "{}")]])).toEqual([
      { ...start(5, "{}"), index: 0 },
      { ...start(2, "{}"), index: 1 },
      { ...start(9, "{}"), index: 2 },
    ]);
  });

  test("a call without arguments waits for the end to be told apart from one to be filled", () => {
    expect(steps([start(0), start(1), tail(1, "{}")])).toEqual([
      [start(0)],
      [],
      [],
      [tail(0, "{}"), start(1), tail(1, "{}")],
    ]);
  });
});

describe("calls that are mixed", () => {
  test("two: the second waits until the first is complete, and not a fragment longer", () => {
    expect(steps([start(0, "{"), start(1, "["), tail(0, '"a":1'), tail(1, "]"), tail(0, "}"), tail(1, " ")])).toEqual([
      [start(0, "{")],
      [],
      [tail(0, '"a":1')],
      [],
      [tail(0, "}"), start(1, "["), tail(1, "]")],
      [tail(1, " ")],
      [],
    ]);
  });

  test("three, all begun at once", () => {
    const entries = [start(0), start(1), start(2), tail(2, "{"), tail(1, "{}"), tail(2, "}"), tail(0, "{}")];
    expect(steps(entries)).toEqual([
      [start(0)],
      [],
      [],
      [],
      [],
      [],
      [tail(0, "{}"), start(1), tail(1, "{}"), start(2), tail(2, "{"), tail(2, "}")],
      [],
    ]);
  });

  test("three, where the one in the middle is the last to become complete", () => {
    const entries = [start(0, "{"), start(1, "{"), start(2, "{}"), tail(0, "}"), tail(1, "}")];
    expect(steps(entries)).toEqual([
      [start(0, "{")],
      [],
      [],
      [tail(0, "}"), start(1, "{")],
      [tail(1, "}"), start(2, "{}")],
      [],
    ]);
  });

  test("what is broken is passed on at the end, one after the other", () => {
    expect(steps([start(0, '{"a'), start(1, "{}"), start(2)])).toEqual([
      [start(0, '{"a')],
      [],
      [],
      [start(1, "{}"), start(2), tail(2, "{}")],
    ]);
    expect(steps([start(0, '{"a'), start(1)], false).at(-1)).toEqual([start(1)]);
  });

  test("a name that comes too late holds back those behind it too", () => {
    const nameless = { index: 0, id: "id-0", type: "function", function: { arguments: "{}" } };
    expect(steps([nameless, start(1, "{}"), { index: 0, function: { name: "f0" } }])).toEqual([
      [],
      [],
      [start(0, "{}"), start(1, "{}")],
      [],
    ]);
  });

  test("brackets inside strings do not make arguments complete", () => {
    expect(steps([start(0, '{"a":"}'), start(1, "{}"), tail(0, '\\""}')]).slice(1)).toEqual([
      [],
      [tail(0, '\\""}'), start(1, "{}")],
      [],
    ]);
  });

  test("what comes for a call that is over is dropped: only white space can", () => {
    expect(steps([start(0, "{}"), start(1, "{"), tail(0, "\n"), tail(1, "}")])).toEqual([
      [start(0, "{}")],
      [start(1, "{")],
      [],
      [tail(1, "}")],
      [],
    ]);
  });
});

describe("what waits is bounded", () => {
  test("past the bound the stream fails, after all that could be said", () => {
    const entries = [[start(0, "{")], [start(1, "x".repeat(60)), tail(0, "}")], [start(1)]];
    expect(toolEntries(entries.slice(0, 2), { maxWaiting: 100 }).at(-1)).not.toBe("origin_protocol");
    const calls = new ToolCalls(toolCallParts({ maxWaiting: 100 }));
    expect(calls.push([start(0, "{"), start(1, "x".repeat(100)), tail(0, "}")]).map(show)).toEqual([
      start(0, "{"),
      "origin_protocol",
    ]);
  });

  test("many small fragments count together, those of a nameless call too", () => {
    for (const index of [0, 1]) {
      const calls = new ToolCalls(toolCallParts({ maxWaiting: 1_000 }));
      if (index === 1) calls.push([start(0, "{")]);
      let failed = 0;
      while (failed < 1_000 && calls.push([tail(index, "a")]).length === 0) failed += 1;
      expect(failed).toBeLessThan(40);
    }
  });

  test("what has been said counts no more", () => {
    const calls = new ToolCalls(toolCallParts({ maxWaiting: 200 }));
    for (let index = 0; index < 50; index += 2) {
      const outputs = calls.push([start(index, "{"), start(index + 1, "{}"), tail(index, "}")]);
      expect(outputs).toEqual([start(index, "{"), tail(index, "}"), start(index + 1, "{}")]);
    }
  });
});

describe("without parallel calls", () => {
  test("calls after the first are dropped, and fill nothing", () => {
    const calls = new ToolCalls(toolCallParts({ single: true, maxWaiting: 300 }));
    expect(calls.push([start(0, "{"), start(1, "x".repeat(1_000)), tail(0, "}")])).toEqual([
      start(0, "{"),
      tail(0, "}"),
    ]);
    expect(calls.push([tail(1, "{}"), tail(0, " "), start(2, "{}")])).toEqual([tail(0, " ")]);
    expect(calls.close(true)).toEqual([]);
    expect(calls.any).toBe(true);
  });

  test("the one call still gets its arguments", () => {
    expect(toolEntries([[start(0)], [start(1, "{}")]], { single: true })).toEqual([start(0), tail(0, "{}")]);
  });
});
