/** Errors in Anthropic's words. */
import { describe, expect, test } from "vitest";
import { GatewayError, type ContextOverflow, type ErrorCode } from "../../../../src/core/errors.ts";
import { formatMessagesError, writeMessagesError } from "../../../../src/protocols/messages/error.ts";
import { readErrorResponse } from "../../../../src/vllm/errors.ts";

function typeOf(code: ErrorCode, status?: number): unknown {
  return JSON.parse(writeMessagesError(new GatewayError(code, "Words.", { status }), "req_1")).error.type;
}

test("an error response has its type, its words and the request's id", () => {
  expect(writeMessagesError(new GatewayError("not_found", "No such page."), "req_1")).toBe(
    '{"type":"error","error":{"type":"not_found_error","message":"No such page."},"request_id":"req_1"}',
  );
});

test("an error in a stream is an event", () => {
  expect(new TextDecoder().decode(formatMessagesError(new GatewayError("origin_cut", "It was cut.")))).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"It was cut."}}\n\n',
  );
});

describe("the type goes by the status", () => {
  test.each([
    ["invalid_request", "invalid_request_error"],
    ["context_length_exceeded", "invalid_request_error"],
    ["invalid_api_key", "authentication_error"],
    ["permission_denied", "permission_error"],
    ["model_not_found", "not_found_error"],
    ["not_found", "not_found_error"],
    ["method_not_allowed", "invalid_request_error"],
    ["request_timeout", "timeout_error"],
    ["request_too_large", "request_too_large"],
    ["unsupported_media_type", "invalid_request_error"],
    ["rate_limited", "rate_limit_error"],
    ["internal", "api_error"],
    ["misconfigured", "api_error"],
    ["not_supported_by_origin", "api_error"],
    ["origin_auth", "api_error"],
    ["origin_cut", "api_error"],
    ["origin_error", "api_error"],
    ["origin_protocol", "api_error"],
    ["origin_unreachable", "api_error"],
    ["origin_unavailable", "overloaded_error"],
    ["origin_timeout", "timeout_error"],
  ] as const)("%s is %s", (code, type) => {
    expect(typeOf(code)).toBe(type);
  });

  test.each([
    [409, "invalid_request_error"],
    [422, "invalid_request_error"],
    [500, "api_error"],
    [529, "overloaded_error"],
  ])("%i is %s", (status, type) => {
    expect(typeOf("origin_error", status)).toBe(type);
  });
});

const words = (context: ContextOverflow): unknown => {
  const error = new GatewayError("context_length_exceeded", "It does not fit.", { context });
  return JSON.parse(writeMessagesError(error, "req_1")).error;
};

describe("a prompt that is too long", () => {
  const LIMIT = { promptTokens: 9_000, completionTokens: undefined, maxTokens: 8_192, atLeast: false };

  test("is told in the words that agents know", () => {
    const prompt = { type: "invalid_request_error", message: "prompt is too long: 9000 tokens > 8192 maximum" };
    expect(words(LIMIT)).toEqual(prompt);
    expect(words({ ...LIMIT, atLeast: true, completionTokens: 100 })).toEqual(prompt);
  });

  test("beside the answer alone is told as such, with the sum", () => {
    expect(words({ ...LIMIT, promptTokens: 8_000, completionTokens: 1_000 })).toEqual({
      type: "invalid_request_error",
      message:
        "input length and `max_tokens` exceed context limit: 8000 + 1000 > 8192, decrease input length or `max_tokens` and try again",
    });
    expect(words({ ...LIMIT, promptTokens: 8_192, completionTokens: 1 })).toMatchObject({
      message: expect.stringContaining("8192 + 1 > 8192"),
    });
  });

  test("by nobody's count is told in the origin's words after the same beginning", () => {
    for (const unknown of [{ promptTokens: undefined }, { maxTokens: undefined }]) {
      expect(words({ ...LIMIT, ...unknown })).toMatchObject({ message: "prompt is too long: It does not fit." });
    }
  });

  test("is known by vLLM's words", () => {
    const error = readErrorResponse({
      status: 400,
      body: JSON.stringify({
        error: {
          message:
            "This model's maximum context length is 2048 tokens. However, you requested 1024 output tokens and your prompt contains at least 1025 input tokens, for a total of at least 2049 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=1025)",
          type: "BadRequestError",
          param: "input_tokens",
          code: 400,
        },
      }),
    });
    expect(JSON.parse(writeMessagesError(error, "req_1")).error.message).toBe(
      "input length and `max_tokens` exceed context limit: 1025 + 1024 > 2048, decrease input length or `max_tokens` and try again",
    );
  });
});
