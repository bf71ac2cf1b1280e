import { expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { writeOpenAIError } from "../../../src/protocols/openai-error.ts";
import { readErrorResponse } from "../../../src/vllm/errors.ts";

test("an error has OpenAI's four fields, with null for a parameter that is not at fault", () => {
  const error = new GatewayError("origin_timeout", "The origin fell silent.");
  expect(writeOpenAIError(error)).toBe(
    '{"error":{"message":"The origin fell silent.","type":"server_error","param":null,"code":"origin_timeout"}}',
  );
});

test.for([
  [400, "invalid_request", "invalid_request_error"],
  [401, "invalid_api_key", "authentication_error"],
  [403, "permission_denied", "permission_error"],
  [404, "model_not_found", "invalid_request_error"],
  [429, "rate_limited", "rate_limit_error"],
  [500, "internal", "server_error"],
  [503, "origin_unavailable", "server_error"],
] as const)("a %i is of type %s", ([, code, type]) => {
  expect(JSON.parse(writeOpenAIError(new GatewayError(code, "No.")))).toMatchObject({ error: { code, type } });
});

test.for([
  [
    "the exact number of tokens, as Rust tells it",
    "this model's maximum context length is 2048 tokens, but the prompt contains 3010 input tokens",
    3010,
    "This model's maximum context length is 2048 tokens. However, your messages resulted in 3010 tokens. Please reduce the length of the messages.",
  ],
  [
    "a lower bound, as Python tells it",
    "This model's maximum context length is 2048 tokens. However, your prompt contains at least 2049 input tokens, which exceeds this limit even without any output tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=2049)",
    2049,
    "This model's maximum context length is 2048 tokens. However, your messages resulted in at least 2049 tokens. Please reduce the length of the messages.",
  ],
] as const)("an overflow of the context tells %s", ([, said, tokens, message]) => {
  const error = readErrorResponse({ status: 400, body: JSON.stringify({ error: { message: said, code: 400 } }) });
  expect(JSON.parse(writeOpenAIError(error))).toEqual({
    error: {
      message,
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
      n_prompt_tokens: tokens,
      n_ctx: 2048,
    },
  });
});
