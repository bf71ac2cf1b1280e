/** What a stream of events may look like. */
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import type { StreamEvent } from "../../../src/events/event.ts";
import { grammarFault } from "../../../src/events/grammar.ts";

const USAGE = {
  prompt: 1,
  completion: 1,
  cached: undefined,
  written: undefined,
  reasoning: undefined,
  estimated: false,
};

const EVENTS: Readonly<Record<string, StreamEvent>> = {
  start: { type: "start", usage: undefined },
  text: { type: "text", text: "a" },
  reasoning: { type: "reasoning", text: "so" },
  call: { type: "tool_call_start", id: "c0", name: "f" },
  piece: { type: "tool_call_delta", text: "{}" },
  complete: { type: "tool_call_complete" },
  finish: { type: "finish", reason: "stop", stopText: undefined },
  usage: { type: "usage", usage: USAGE },
  error: { type: "error", error: new GatewayError("origin_cut", "cut") },
  "no text": { type: "text", text: "" },
  "no reasoning": { type: "reasoning", text: "" },
  "no piece": { type: "tool_call_delta", text: "" },
};

function faultOf(...names: string[]): string | undefined {
  return grammarFault(names.flatMap((name) => EVENTS[name] ?? []));
}

describe("a stream", () => {
  test.each([
    ["start, finish, usage"],
    ["start, text, text, finish, usage"],
    ["start, reasoning, text, call, piece, piece, complete, text, call, complete, finish, usage"],
    ["error"],
    ["start, error"],
    ["start, text, error"],
    ["start, call, error"],
    ["start, call, piece, error"],
    ["start, finish, error"],
    ["start, finish, usage, error"],
  ])("may be %s", (names) => {
    expect(faultOf(...names.split(", "))).toBeUndefined();
  });

  test.each([
    ["", "ends in the state begin"],
    ["start", "ends in the state parts"],
    ["start, text", "ends in the state parts"],
    ["start, call", "ends in the state tool_call"],
    ["start, finish", "ends in the state finished"],
    ["text, finish, usage", "event 0: text in the state begin"],
    ["start, start", "event 1: start in the state parts"],
    ["start, piece", "event 1: tool_call_delta in the state parts"],
    ["start, complete", "event 1: tool_call_complete in the state parts"],
    ["start, call, text", "event 2: text in the state tool_call"],
    ["start, call, call", "event 2: tool_call_start in the state tool_call"],
    ["start, call, finish", "event 2: finish in the state tool_call"],
    ["start, usage", "event 1: usage in the state parts"],
    ["start, finish, text", "event 2: text in the state finished"],
    ["start, finish, finish", "event 2: finish in the state finished"],
    ["start, finish, usage, usage", "event 3: usage in the state complete"],
    ["start, finish, usage, text", "event 3: text in the state complete"],
    ["start, finish, usage, error, error", "event 4: error in the state over"],
    ["error, error", "event 1: error in the state over"],
    ["start, no text", "event 1: text says nothing"],
    ["start, no reasoning", "event 1: reasoning says nothing"],
    ["start, call, no piece", "event 2: tool_call_delta says nothing"],
  ])("may not be %s: %s", (names, fault) => {
    expect(faultOf(...names.split(", "))).toBe(fault);
  });
});
