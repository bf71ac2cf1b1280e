/** Chunks that cannot be told as they are: calls that nobody could run, and what is no text where text belongs. */
import { describe, expect, test } from "vitest";
import { grammarFault } from "../../../../src/events/grammar.ts";
import type { JsonObject } from "../../../../src/core/json/object.ts";
import { ChatDecoder } from "../../../../src/vllm/chat/decode.ts";
import { Waiting } from "../../../../src/vllm/riders.ts";

const START = { type: "start", usage: undefined };
const COMPLETE = { type: "tool_call_complete" };
const INCOMPLETE = "origin_protocol The origin sent a tool call whose arguments are not complete JSON.";
const NO_OBJECT = "origin_protocol The origin sent a tool call whose arguments are not a JSON object.";
const UNREADABLE = "origin_protocol The origin's answer holds what cannot be read.";
const LENGTH = { type: "finish", reason: "length", stopText: undefined };
const CALLS = { type: "finish", reason: "tool_calls", stopText: undefined };

const text = (said: string): object => ({ type: "text", text: said });
const delta = (fields: object): JsonObject => ({ choices: [{ index: 0, delta: fields }] });
const ends = (reason: string): JsonObject => ({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
const call = (index: number, args: string): JsonObject =>
  delta({ tool_calls: [{ index, id: `c${index}`, type: "function", function: { name: "f", arguments: args } }] });
const more = (index: number, args: string): JsonObject =>
  delta({ tool_calls: [{ index, function: { arguments: args } }] });

const inLetters = (args: string): JsonObject[] =>
  Array.from(args, (letter, at) => (at === 0 ? call(0, letter) : more(0, letter)));

/** The events of `chunks`; an error as its code and its words. They obey the grammar as far as they go. */
function decode(...chunks: readonly JsonObject[]): unknown[] {
  const decoder = new ChatDecoder(new Waiting(1_000));
  const events = chunks.flatMap((json) => decoder.push({ json, bytes: undefined }));
  expect(grammarFault(events) ?? "ends").toMatch(/^ends/);
  return events.map((event) => (event.type === "error" ? `${event.error.code} ${event.error.message}` : event));
}

describe("a call whose arguments are closed and no object", () => {
  const ROWS = [['{"a":}'], ['{"a":1]'], ["{a:1}"], ["[1]"], ['"str"'], ["1"], ["null"]];

  test.each(ROWS)("breaks the stream at every finish but the limit's: %s", (args) => {
    const started = { type: "tool_call_start", id: "c0", name: "f" };
    for (const reason of ["tool_calls", "stop", "content_filter", "someday"]) {
      expect(decode(call(0, args), ends(reason))).toEqual([
        START,
        started,
        { type: "tool_call_delta", text: args },
        COMPLETE,
        NO_OBJECT,
      ]);
      expect(decode(...inLetters(args), ends(reason)).at(-1)).toBe(NO_OBJECT);
    }
    expect(decode(call(0, args), ends("length")).at(-1)).toEqual(LENGTH);
  });

  test.each(ROWS)("breaks it although something good follows: %s", (args) => {
    expect(decode(call(0, args), call(1, "{}"), ends("tool_calls")).at(-1)).toBe(NO_OBJECT);
    expect(decode(call(0, args), delta({ content: "a" }), ends("stop")).at(-1)).toBe(NO_OBJECT);
  });
});

describe("a call beyond 1 MiB", () => {
  test("is held to its brackets", () => {
    const rest = more(0, `${"x".repeat(1_100_000)}"}`);
    expect(decode(call(0, '{"a":"'), rest, ends("tool_calls")).at(-1)).toEqual(CALLS);
    expect(decode(call(0, '["'), rest, ends("tool_calls")).at(-1)).toBe(NO_OBJECT);
    expect(decode(call(0, '{"a":{"'), rest, ends("tool_calls")).at(-1)).toBe(INCOMPLETE);
  });
});

describe("a broken call that the limit did not cut", () => {
  test.each([
    ["a call follows", [call(0, '{"a":'), call(1, "{}")], INCOMPLETE],
    ["a call follows that is cut itself", [call(0, '{"a":'), call(1, '{"b":')], INCOMPLETE],
    ["a text follows", [call(0, '{"a":'), delta({ content: "a" })], INCOMPLETE],
    ["reasoning follows", [call(0, '{"a":'), delta({ reasoning: "so" })], INCOMPLETE],
    ["a text follows, and then a call", [call(0, ""), delta({ content: "a" }), call(1, "{}")], INCOMPLETE],
    ["it is closed and a text follows", [call(0, "[1]"), delta({ content: "a" })], NO_OBJECT],
    ["it is closed and a call follows", [call(0, '{"a":}'), call(1, '{"b":')], NO_OBJECT],
    ["it went on when it was over", [call(0, "{}"), call(1, '{"b":'), more(0, "}")], INCOMPLETE],
  ])("breaks the stream at the limit, too: %s", (_, chunks, error) => {
    for (const reason of ["length", "repetition"]) expect(decode(...chunks, ends(reason)).at(-1)).toBe(error);
  });

  test.each([
    ["white space follows", [call(0, '{"a":'), delta({ content: "\n" })]],
    ["white space follows within and without", [call(0, "[1]"), delta({ content: "\n" }), more(0, " ")]],
    ["it is the last one", [call(0, "{}"), delta({ content: "a" }), call(1, '{"b":')]],
    ["it has no arguments yet", [call(0, "{}"), call(1, "")]],
  ])("is cut where nothing follows: %s", (_, chunks) => {
    expect(decode(...chunks, ends("length")).at(-1)).toEqual(LENGTH);
  });
});

describe("what is no text", () => {
  test("is text where it is a list of text parts", () => {
    const parts = [
      { type: "text", text: "hel" },
      { type: "text", text: "lo" },
    ];
    expect(decode(delta({ content: parts }))).toEqual([START, text("hello")]);
    expect(decode(delta({ content: "a" }), delta({ content: [{ type: "text", text: "b" }] }))).toEqual([
      START,
      text("a"),
      text("b"),
    ]);
  });

  test("says nothing where the list is empty", () => {
    expect(decode(delta({ content: [] }), delta({ content: [{ type: "text", text: "" }] }))).toEqual([START]);
  });

  test.each([
    ["content that is an object", { content: { type: "text", text: "LOST" } }],
    ["content that is a number", { content: 7 }],
    ["content that is false", { content: false }],
    [
      "content with a picture",
      {
        content: [
          { type: "text", text: "a" },
          { type: "image_url", image_url: {} },
        ],
      },
    ],
    ["content with a bare text", { content: ["LOST"] }],
    ["content with a part of no text", { content: [{ type: "text", text: 7 }] }],
    ["reasoning that is an object", { reasoning: { text: "LOST" } }],
    ["reasoning that is a list", { reasoning: [{ type: "text", text: "LOST" }] }],
    ["reasoning that is 0", { reasoning: 0 }],
    ["reasoning under its other name", { reasoning_content: ["LOST"] }],
    ["a refusal that is an object", { refusal: { text: "LOST" } }],
  ])("cannot be read otherwise: %s", (_, fields) => {
    expect(decode(delta({ content: "a" }), delta(fields))).toEqual([START, text("a"), UNREADABLE]);
    const finished = { choices: [{ index: 0, delta: fields, finish_reason: "stop" }] };
    expect(decode(finished)).toEqual([START, UNREADABLE]);
  });
});
