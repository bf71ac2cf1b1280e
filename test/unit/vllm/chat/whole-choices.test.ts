/** The choices of a whole chat answer: all that were asked for, no others, and each one readable. */
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../../src/core/errors.ts";
import { readWhole } from "../../../support/chat-replay.ts";

const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const choice = (index: unknown, more: object = {}) => ({
  index,
  message: { role: "assistant", content: "a" },
  finish_reason: "stop",
  ...more,
});

function answer(choices: unknown) {
  return { id: "c", object: "chat.completion", created: 5, model: "m", choices, usage: USAGE };
}

function whole(choices: unknown, n?: number): unknown {
  const call = readWhole(JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }], n }));
  try {
    return JSON.parse(call.whole(JSON.stringify(answer(choices))).json);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown.code;
    throw thrown;
  }
}

describe("choices of a whole answer", () => {
  test.each([
    ["one of two", [choice(0)], 2],
    ["the second of two", [choice(1)], 2],
    ["one twice", [choice(0), choice(0)], 2],
    ["two of three", [choice(2), choice(0)], 3],
  ])("that are not all there are a cut: %s", (_, choices, n) => {
    expect(whole(choices, n)).toBe("origin_cut");
  });

  test("that nobody asked for are dropped, and what comes again", () => {
    expect(whole([choice(0), choice(1)])).toEqual(answer([choice(0)]));
    expect(whole([choice(1), choice(0), choice(5)], 2)).toEqual(answer([choice(1), choice(0)]));
    expect(whole([choice(0), choice(0, { x: 1 }), null])).toEqual(answer([choice(0)]));
    expect(whole([choice(1)])).toBe("origin_protocol");
  });

  test.each([
    ["an object", { "0": choice(0) }],
    ["text", "LOST"],
    ["with text in them", ["LOST", choice(0)]],
    ["with an index below 0", [choice(-1)]],
    ["with half an index", [choice(1.5)]],
    ["with a word for an index", [choice("x")]],
    ["without a message", [choice(0, { message: undefined })]],
    ["with a message of null", [choice(0, { message: null })]],
    ["with a message that is text", [choice(0, { message: "LOST" })]],
    ["with calls that are an object", [choice(0, { message: { role: "assistant", tool_calls: { "0": {} } } })]],
    ["with a call that is text", [choice(0, { message: { role: "assistant", tool_calls: ["LOST"] } })]],
    ["with a nameless call", [choice(0, { message: { role: "assistant", tool_calls: [{ id: "i" }] } })]],
  ])("that cannot be read are a failure: %s", (_, choices) => {
    expect(whole(choices)).toBe("origin_protocol");
  });

  test("a call that says nothing is none", () => {
    const came = [choice(0, { message: { role: "assistant", content: "a", tool_calls: [{}] } })];
    const sent = [choice(0, { message: { role: "assistant", content: "a", tool_calls: [] } })];
    expect(whole(came)).toEqual(answer(sent));
  });
});
