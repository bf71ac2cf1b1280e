/** Where a tool call begins, where it is over, and how many there may be. */
import { describe, expect, test } from "vitest";
import { chatChoice, show, toolCallParts, toolEntries } from "../../../support/chat-machines.ts";
import { ToolCalls } from "../../../../src/vllm/chat/tool-calls.ts";

const start = (index: number, args: string, id = `id-${index}`, name = `f${index}`) => ({
  index,
  id,
  type: "function",
  function: { name, arguments: args },
});
const tail = (index: number, args: string) => ({ index, function: { arguments: args } });
const many = (count: number) => Array.from({ length: count }, (_, at) => start(at, "{}"));
const made = (index: number, args: string) => start(index, args, `call_${index + 1}`, "f");
const named = (name: string, args: string) => ({ index: 0, function: { name, arguments: args } });

describe("arguments that are a bare number or word", () => {
  test.each([
    ["1", "2"],
    ["-1", ".5"],
    ["1 ", ""],
    ["tru", "e"],
  ])("are over at the finish only: %s%s", (one, two) => {
    expect(toolEntries([[start(0, one)], [start(1, "{}")], [tail(0, two)]])).toEqual([
      start(0, one),
      tail(0, two),
      start(1, "{}"),
    ]);
  });
});

test("fields that nobody knows leave with a fragment that comes too late", () => {
  const late = { index: 0, x: 1, function: { arguments: "\n", y: 2 } };
  expect(toolEntries([[start(0, "{}")], [start(1, "{")], [late], [tail(1, "}")]])).toEqual([
    start(0, "{}"),
    start(1, "{"),
    { index: 0, x: 1, function: { y: 2, arguments: "" } },
    tail(1, "}"),
  ]);
});

describe("two calls of one function without ids and with one index", () => {
  test("begin with a name each, before any arguments", () => {
    const came = [named("f", ""), tail(0, '{"a":1}'), named("f", ""), tail(0, '{"b":2}')];
    const sent = [made(0, ""), tail(0, '{"a":1}'), made(1, ""), tail(1, '{"b":2}')];
    expect(toolEntries(came.map((entry) => [entry]))).toEqual(sent);
    expect(toolEntries(came.map(({ index: _index, ...entry }) => [entry]))).toEqual(sent);
  });
});

describe("an entry that says nothing", () => {
  test.each([{}, { index: 0 }, { index: 0, type: "function", function: { arguments: "" } }, { function: null }])(
    "begins no call: %j",
    (entry) => {
      const calls = new ToolCalls(toolCallParts());
      expect(calls.push([entry])).toEqual([]);
      expect(calls.any).toBe(false);
      expect(toolEntries([[entry], [start(0, "{}")]])).toEqual([start(0, "{}")]);
      const choice = chatChoice();
      choice.push({ index: 0, delta: { role: "assistant", content: "", tool_calls: [entry] } });
      expect(choice.push({ index: 0, delta: {}, finish_reason: "stop" })).toEqual([
        { index: 0, delta: {}, finish_reason: "stop" },
      ]);
    },
  );
});

describe("a call that never gets a name", () => {
  test("fails the stream at the finish", () => {
    expect(toolEntries([[tail(0, "{")], [tail(0, "}")]])).toEqual(["origin_protocol"]);
    expect(toolEntries([[start(0, "{}")], [{ index: 1, id: "j" }]])).toEqual([start(0, "{}"), "origin_protocol"]);
  });

  test.each(["stop", "tool_calls", "length"])("whatever it is: %s", (reason) => {
    const choice = chatChoice();
    choice.push({ index: 0, delta: { role: "assistant", tool_calls: [tail(0, "{}")] } });
    expect(choice.push({ index: 0, delta: {}, finish_reason: reason }).map(show)).toEqual(["origin_protocol"]);
  });

  test("and where the finish itself is missing", () => {
    const choice = chatChoice();
    choice.push({ index: 0, delta: { role: "assistant", tool_calls: [tail(0, "{}")] } });
    expect(choice.complete(false).map(show)).toEqual(["origin_protocol"]);
  });

  test("does not displace the failure that the finish is", () => {
    const choice = chatChoice();
    choice.push({ index: 0, delta: { role: "assistant", tool_calls: [tail(0, "{}")] } });
    const outputs = choice.push({ index: 0, delta: {}, finish_reason: "abort" });
    expect(outputs.map(show)).toEqual(["origin_error"]);
  });
});

describe("many calls", () => {
  test("may be 1024, and no more", () => {
    expect(toolEntries([many(1_024)])).toEqual(many(1_024));
    expect(toolEntries([many(1_024), [tail(1_023, " ")]])).toHaveLength(1_025);
    const calls = new ToolCalls(toolCallParts());
    expect(calls.push(many(1_025)).map(show)).toEqual([...many(1_024), "origin_protocol"]);
  });

  test("take no time beyond that, however they are written", () => {
    const bare = Array.from({ length: 60_000 }, (_, index) => ({ index }));
    const ids = bare.map(({ index }) => ({ id: `i${index}` }));
    const began = performance.now();
    for (const single of [false, true]) {
      for (const entries of [bare, ids, many(60_000)]) new ToolCalls(toolCallParts({ single })).push(entries);
    }
    expect(performance.now() - began).toBeLessThan(1_500);
  });
});

describe("without parallel calls", () => {
  const single = { single: true };

  test("any number after the first are dropped", () => {
    const others = Array.from({ length: 3_000 }, (_, at) => start(at + 1, "{}"));
    expect(toolEntries([[start(0, "{")], others, [tail(0, "}"), tail(7, "x")]], single)).toEqual([
      start(0, "{"),
      tail(0, "}"),
    ]);
  });

  test("what goes on with a dropped call is dropped too", () => {
    const first = start(0, "{}");
    const rows: object[][] = [
      [named("g", ""), tail(0, '{"b":2}')],
      [{ function: { name: "g", arguments: "" } }, { function: { arguments: "{}" } }],
      [start(0, "", "j", "g"), tail(0, "{}"), start(1, "{", "k", "h"), tail(1, "}"), tail(0, "x")],
      [
        { id: "j", function: { name: "g" } },
        { id: "j", function: { arguments: "{}" } },
      ],
    ];
    for (const rest of rows) expect(toolEntries([[first], ...rest.map((entry) => [entry])], single)).toEqual([first]);
  });
});
