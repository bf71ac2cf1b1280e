/** Whole chat answers, by the same rules as streams. */
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../../src/core/errors.ts";
import { readWhole } from "../../../support/chat-replay.ts";

const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const CALL = { id: "i", type: "function", function: { name: "f", arguments: "{}" } };

function answer(choice: object, more: object = {}) {
  const choices = [{ index: 0, message: { role: "assistant", content: "a" }, finish_reason: "stop", ...choice }];
  return { id: "c", object: "chat.completion", created: 5, model: "m", choices, usage: USAGE, ...more };
}

function whole(body: unknown, request: object = {}): unknown {
  const call = readWhole(JSON.stringify({ model: "m", messages: [{ role: "user", content: "12345678" }], ...request }));
  try {
    return JSON.parse(call.whole(typeof body === "string" ? body : JSON.stringify(body)).json);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return [thrown.code, thrown.status];
    throw thrown;
  }
}

const calling = (calls: unknown, reason = "tool_calls") => ({
  message: { role: "assistant", content: null, tool_calls: calls },
  finish_reason: reason,
});

const named = (id: number, name: number): object =>
  answer(calling([{ ...CALL, id: "i".repeat(id), function: { name: "n".repeat(name), arguments: "{}" } }]));

describe("a choice", () => {
  const rows: [string, object, object][] = [
    ["that is right", {}, {}],
    ["that stops after calls", calling([CALL], "stop"), calling([CALL])],
    ["cut by a limit after calls", calling([CALL], "length"), calling([CALL], "length")],
    ["without a finish", { finish_reason: null }, {}],
    ["with an empty finish", { finish_reason: "" }, {}],
    ["without a finish after calls", calling([CALL], ""), calling([CALL])],
    ["with a word for a finish that nobody knows", { finish_reason: "someday" }, { finish_reason: "someday" }],
    [
      "with reasoning under one key",
      { message: { role: "assistant", content: null, reasoning: "r" } },
      { message: { role: "assistant", content: null, reasoning: "r", reasoning_content: "r" } },
    ],
    [
      "with reasoning under the other",
      { message: { role: "assistant", reasoning: null, reasoning_content: "r" } },
      { message: { role: "assistant", reasoning: "r", reasoning_content: "r" } },
    ],
    ["without a role", { message: { content: "a" } }, {}],
    [
      "with unknown fields",
      { x: 1, message: { role: "assistant", y: 2 } },
      { x: 1, message: { role: "assistant", y: 2 } },
    ],
    [
      "with arguments that are an object",
      calling([{ ...CALL, function: { name: "f", arguments: { a: 1 } } }]),
      calling([{ ...CALL, function: { name: "f", arguments: '{"a":1}' } }]),
    ],
    ["with arguments of null", calling([{ ...CALL, function: { name: "f", arguments: null } }]), calling([CALL])],
    ["with a call without arguments", calling([{ ...CALL, function: { name: "f", arguments: " " } }]), calling([CALL])],
    [
      "with such a call, cut by a limit",
      calling([{ ...CALL, function: { name: "f" } }], "length"),
      calling([{ ...CALL, function: { name: "f", arguments: "" } }], "length"),
    ],
    [
      "with broken arguments",
      calling([{ ...CALL, function: { name: "f", arguments: '{"a' } }]),
      calling([{ ...CALL, function: { name: "f", arguments: '{"a' } }]),
    ],
    [
      "with a call without id and type",
      calling([{ function: { name: "f", arguments: "{}", x: 1 } }, null]),
      calling([{ ...CALL, id: "call_made-2", function: { name: "f", arguments: "{}", x: 1 } }]),
    ],
    ["with an empty list of calls", calling([], "stop"), calling([], "stop")],
    [
      "with a function_call",
      { message: { role: "assistant", function_call: { name: "f", arguments: "{}" } }, finish_reason: "function_call" },
      {
        message: { role: "assistant", tool_calls: [{ ...CALL, id: "call_made-2" }] },
        finish_reason: "tool_calls",
      },
    ],
  ];
  test.each(rows)("%s", (_, came, sent) => {
    expect(whole(answer(came))).toEqual(answer(sent));
  });

  test("gets its place for an index where it has none, and digits count", () => {
    const [choice] = answer({}).choices;
    for (const index of [undefined, null, "1"]) {
      expect(whole(answer({}, { choices: [choice, { ...choice, index }] }), { n: 2 })).toEqual(
        answer({}, { choices: [choice, { ...choice, index: 1 }] }),
      );
    }
  });

  test("without a finish has length at the limit", () => {
    const body = answer({ finish_reason: null });
    expect(whole(body, { max_tokens: 2 })).toEqual(answer({ finish_reason: "length" }));
    expect(whole(body, { max_completion_tokens: 3, max_tokens: 1 })).toEqual(answer({ finish_reason: "stop" }));
    expect(whole(answer(calling([CALL], "")), { max_tokens: 2 })).toEqual(answer(calling([CALL])));
  });

  test("has ids and names of 1024 characters at most", () => {
    expect(whole(named(1_024, 1_024))).toEqual(named(1_024, 1_024));
    expect(whole(named(1_025, 1))).toEqual(["origin_protocol", 502]);
    expect(whole(named(1, 1_025))).toEqual(["origin_protocol", 502]);
  });

  test("has one call where no others were wanted", () => {
    const body = answer(calling([CALL, { ...CALL, id: "j" }]));
    expect(whole(body, { parallel_tool_calls: false })).toEqual(answer(calling([CALL])));
  });

  test.each(["abort", "error"])("with the finish %s is the origin's failure", (reason) => {
    expect(whole(answer({ finish_reason: reason }))).toEqual(["origin_error", 502]);
  });
});

describe("the answer", () => {
  test("in no need of repair leaves as its text, white space and digits included", () => {
    const body = JSON.stringify(answer({}), null, 2).replace('"created": 5', '"created": 5.0');
    const call = readWhole('{"model":"m","messages":[{"role":"user","content":"x"}]}');
    expect(call.whole(body).json).toBe(body);
    expect(call.whole(body).tokens).toEqual({ prompt: 3, completion: 2 });
  });

  test("has the envelope of a whole answer, and the client's name of the model", () => {
    const body = answer({}, { id: undefined, object: "text", created: "now", model: "theirs" });
    expect(whole(body)).toEqual(answer({}, { id: "chatcmpl-made-1", created: 1_000 }));
  });

  test.each([
    ["that does not add up", { ...USAGE, total_tokens: 9 }, USAGE],
    ["that is missing", undefined, { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3, estimated: true }],
    [
      "that is nonsense",
      { prompt_tokens: -1 },
      { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3, estimated: true },
    ],
    [
      "with what was written to the cache",
      { ...USAGE, prompt_tokens_details: { cached_tokens: 1, created_cache_tokens: 2 } },
      { ...USAGE, prompt_tokens_details: { cached_tokens: 1, created_cache_tokens: 2, cache_write_tokens: 2 } },
    ],
  ])("has usage %s put right", (_, came, sent) => {
    expect(whole(answer({}, { usage: came }))).toEqual(answer({}, { usage: sent }));
  });

  test("counts ids where usage is missing", () => {
    const body = answer({ token_ids: [1, 2, 3] }, { usage: null, prompt_token_ids: [1] });
    const counted = { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 };
    expect(whole(body)).toEqual(answer({ token_ids: [1, 2, 3] }, { usage: counted, prompt_token_ids: [1] }));
  });

  test.each([
    ["no JSON", "{", ["origin_protocol", 502]],
    ["no object", "[]", ["origin_protocol", 502]],
    ["no choices", '{"id":"c"}', ["origin_protocol", 502]],
    ["an empty list of choices", '{"choices":[]}', ["origin_protocol", 502]],
    ["an error", '{"error":{"message":"bad","code":400}}', ["invalid_request", 400]],
    ["an error that is text", '{"error":"bad"}', ["origin_error", 500]],
  ])("that is %s is a failure", (_, body, failure) => {
    expect(whole(body)).toEqual(failure);
  });
});
