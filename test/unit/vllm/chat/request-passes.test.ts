/** What passes: the edges of every range, what vLLM alone knows, and nulls; all of it untouched. */
import { describe, expect, test } from "vitest";
import { readRequest } from "../../../support/chat-replay.ts";

const SAY = [{ role: "user", content: "hi" }];
const TOOLS = [{ type: "function", function: { name: "f" } }];

/** Returns what the origin is asked. */
function forwarded(fields: object): unknown {
  const body = JSON.stringify({ messages: SAY, ...fields });
  return JSON.parse(readRequest(body).forward(undefined));
}

describe("a whole answer's request passes as it is", () => {
  test.each([
    { n: 1 },
    { n: 16_384 },
    { max_tokens: 1, min_tokens: 1 },
    { max_completion_tokens: 1, max_tokens: 0.5e1 },
    { min_tokens: 0 },
    { temperature: 0, top_p: 1, top_k: -1, min_p: 0 },
    { temperature: 2, top_p: 0.001, top_k: 0, min_p: 1 },
    { presence_penalty: -2, frequency_penalty: 2, repetition_penalty: 0.01 },
    { seed: 0 },
    { seed: -(2 ** 63) },
    { stop: "a" },
    { stop: [] },
    { stop: ["a", "b", "c", "d", "e"] },
    { logprobs: true, top_logprobs: 0 },
    { logprobs: true, top_logprobs: -1 },
    { top_logprobs: 0 },
    { prompt_logprobs: -1 },
    { stream: false, stream_options: null },
    { tools: TOOLS, tool_choice: "none" },
    { tools: TOOLS, tool_choice: { type: "function", function: { name: "f" } } },
    { tools: [{ function: { name: "f" } }], tool_choice: { function: { name: "f" } } },
    { tools: [{ type: "custom", custom: {} }], tool_choice: "required" },
    { tool_choice: "none" },
    { response_format: { type: "json_object" } },
    { response_format: { type: "json_schema", json_schema: { name: "a", schema: {} } } },
    { response_format: { type: "structural_tag", format: {} } },
    { continue_final_message: true, add_generation_prompt: false },
    { parallel_tool_calls: true },
    { model: "" },
    { vllm_xargs: { a: 1 }, structured_outputs: { regex: "a" }, chat_template_kwargs: {}, wibble: 1 },
    { min_tokens: null, n: null, temperature: null, top_p: null, top_k: null, min_p: null, seed: null, stop: null },
    { tools: null, tool_choice: null, response_format: null, logprobs: null, top_logprobs: null, stream: null },
    { presence_penalty: null, frequency_penalty: null, repetition_penalty: null, max_tokens: null, model: null },
    { max_completion_tokens: null, prompt_logprobs: null, parallel_tool_calls: null },
  ])("%j", (fields) => {
    expect(forwarded(fields)).toEqual({ messages: SAY, ...fields });
  });

  test.each([
    [[{ role: "wizard", content: "hi" }]],
    [[{ role: "assistant", content: null, tool_calls: [] }]],
    [[{ role: "user" }]],
    [[{ role: "user", content: [] }]],
    [[{ role: "user", content: ["hi", { type: "text", text: "" }] }]],
    [[{ role: "user", content: [{ type: "image_url", image_url: { url: "data:,", detail: "low" }, uuid: "u" }] }]],
    [[{ role: "user", content: [{ image_url: "data:," }, { type: "input_audio", input_audio: {} }, { type: "new" }] }]],
    [[{ role: "tool", tool_call_id: "i", content: "x", reasoning_content: "r" }]],
  ])("messages %j", (messages) => {
    expect(forwarded({ messages })).toEqual({ messages });
  });
});

test("a stream's request is changed in its usage alone, digit for digit", () => {
  const body =
    '{ "messages" : [{"role":"user","content":"\\u0068i"}], "stream":true, "seed": 9223372036854775807, "temperature": 1.0, "prompt_logprobs": 0 }';
  expect(readRequest(body).forward(undefined)).toBe(
    body.replace(' "prompt_logprobs": 0 }', ' "prompt_logprobs": 0,"stream_options":{"include_usage":true} }'),
  );
});

test("the model gets the origin's name, and parallel_tool_calls: false is ours to keep", () => {
  const body = '{"model":"mine","messages":[{"role":"user","content":"hi"}],"parallel_tool_calls":false,"x":1.50}';
  const call = readRequest(body);
  expect(call.model).toBe("mine");
  expect(call.forward("theirs")).toBe('{"model":"theirs","messages":[{"role":"user","content":"hi"}],"x":1.50}');
  expect(call.forward("mine")).toBe('{"model":"mine","messages":[{"role":"user","content":"hi"}],"x":1.50}');
});
