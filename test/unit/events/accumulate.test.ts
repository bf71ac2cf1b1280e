/** The whole answer that a stream's events make up. */
import { expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { Accumulation } from "../../../src/events/accumulate.ts";
import type { StreamEvent } from "../../../src/events/event.ts";

const START: StreamEvent = { type: "start", usage: undefined };
const FINISH: StreamEvent = { type: "finish", reason: "stop", stopText: "END" };
const COUNTS = { prompt: 9, completion: 4, cached: 3, written: undefined, reasoning: 2, estimated: false };
const USAGE: StreamEvent = { type: "usage", usage: COUNTS };
const COMPLETE: StreamEvent = { type: "tool_call_complete" };

const text = (said: string): StreamEvent => ({ type: "text", text: said });
const reasoning = (said: string): StreamEvent => ({ type: "reasoning", text: said });
const call = (id: string): StreamEvent => ({ type: "tool_call_start", id, name: "f" });
const piece = (said: string): StreamEvent => ({ type: "tool_call_delta", text: said });

function push(...events: readonly StreamEvent[]): Accumulation {
  const answer = new Accumulation();
  for (const event of events) answer.push(event);
  return answer;
}

test("pieces of one kind are one part, and each call is its own", () => {
  const events = [
    reasoning("so"),
    reasoning(" on"),
    text("a"),
    text("b"),
    call("c0"),
    piece("{"),
    piece("}"),
    COMPLETE,
  ];
  const more = [call("c1"), piece("{}"), COMPLETE, text("c")];
  expect(push(START, ...events, ...more, FINISH, USAGE).end()).toEqual({
    parts: [
      { type: "reasoning", text: "so on" },
      { type: "text", text: "ab" },
      { type: "tool_call", id: "c0", name: "f", arguments: "{}" },
      { type: "tool_call", id: "c1", name: "f", arguments: "{}" },
      { type: "text", text: "c" },
    ],
    finish: { type: "finish", reason: "stop", stopText: "END" },
    usage: COUNTS,
  });
});

test("two kinds by turns are parts by turns", () => {
  const { parts } = push(START, text("a"), reasoning("so"), text("b"), FINISH, USAGE).end();
  expect(parts.map(({ type }) => type)).toEqual(["text", "reasoning", "text"]);
});

test("an answer may be empty, and a call have no arguments", () => {
  expect(push(START, FINISH, USAGE).end().parts).toEqual([]);
  expect(push(START, call("c0"), COMPLETE, FINISH, USAGE).end().parts).toEqual([
    { type: "tool_call", id: "c0", name: "f", arguments: "" },
  ]);
});

test("its length is that of all that was said, ids and names among it, and 128 for each part", () => {
  expect(push(START).length).toBe(0);
  expect(push(START, text("abc"), text("d")).length).toBe(132);
  expect(push(START, reasoning("so"), text("abc"), call("c0"), piece("{}")).length).toBe(394);
  expect(push(START, { type: "tool_call_start", id: "i".repeat(300), name: "n".repeat(5_000) }).length).toBe(5_428);
});

test("its length grows with parts of one letter", () => {
  const answer = new Accumulation();
  for (let turn = 0; turn < 150_000; turn += 1) {
    answer.push(text("a"));
    answer.push(reasoning("b"));
  }
  expect(answer.length).toBe(38_700_000);
});

test("a text of many pieces is whole", () => {
  const pieces = Array.from({ length: 2_500 }, (_, at) => text(`${at},`));
  const said = Array.from({ length: 2_500 }, (_, at) => `${at},`).join("");
  expect(push(START, ...pieces, FINISH, USAGE).end().parts).toEqual([{ type: "text", text: said }]);
});

test("an error event is thrown", () => {
  const error = new GatewayError("origin_error", "the engine died");
  expect(() => push(START, text("a"), { type: "error", error })).toThrow(error);
});

test("a stream that is not at its end was cut", () => {
  for (const events of [[], [START], [START, text("a")], [START, FINISH], [START, USAGE]]) {
    expect(() => push(...events).end()).toThrow(
      expect.objectContaining({
        code: "origin_cut",
        message: "The origin's stream ended before the answer was complete.",
      }),
    );
  }
});
