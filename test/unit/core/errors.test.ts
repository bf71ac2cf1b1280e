import { describe, expect, test } from "vitest";
import { asGatewayError, ERROR_KINDS, GatewayError, type ErrorCode } from "../../../src/core/errors.ts";

/** Code, status, and whether to retry. */
const PINNED: readonly [ErrorCode, number, boolean][] = [
  ["invalid_request", 400, false],
  ["context_length_exceeded", 400, false],
  ["invalid_api_key", 401, false],
  ["permission_denied", 403, false],
  ["model_not_found", 404, false],
  ["not_found", 404, false],
  ["method_not_allowed", 405, false],
  ["request_timeout", 408, true],
  ["request_too_large", 413, false],
  ["unsupported_media_type", 415, false],
  ["rate_limited", 429, true],
  ["internal", 500, true],
  ["misconfigured", 500, false],
  ["not_supported_by_origin", 501, false],
  ["origin_auth", 502, false],
  ["origin_cut", 502, true],
  ["origin_error", 502, true],
  ["origin_protocol", 502, false],
  ["origin_unreachable", 502, true],
  ["origin_unavailable", 503, true],
  ["origin_timeout", 504, false],
];

test("the list of codes is closed", () => {
  expect(Object.entries(ERROR_KINDS).map(([code, { status, retry }]) => [code, status, retry])).toEqual(PINNED);
});

describe("GatewayError", () => {
  test.for(PINNED)("of code %s has status %i, and its retry is %o", ([code, status, retry]) => {
    const error = new GatewayError(code, "text");
    expect(error).toMatchObject({ code, status, message: "text" });
    expect(error.retry).toBe(retry);
  });

  test("has nothing but code, status and message unless it is told more", () => {
    const error = new GatewayError("not_found", "No such page.");
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("GatewayError");
    expect(error.message).toBe("No such page.");
    expect(error.param).toBeUndefined();
    expect(error.retryAfterMs).toBeUndefined();
    expect(error.context).toBeUndefined();
    expect(error.cause).toBeUndefined();
  });

  test("carries a status of its own, the parameter, the time to wait, the context's numbers and the cause", () => {
    const cause = new TypeError("socket");
    const context = { promptTokens: 9, completionTokens: 1, maxTokens: 8, atLeast: true };
    const told = { status: 500, param: "model", retryAfterMs: 1_500, context };
    const error = new GatewayError("origin_error", "text", { ...told, cause });
    expect(error).toMatchObject({ code: "origin_error", ...told });
    expect(error.cause).toBe(cause);
    expect(error.retry).toBe(true);
  });

  test("does not show its cause or its stack to whoever serialises or spreads it", () => {
    const error = new GatewayError("internal", "text", { cause: "http://10.0.0.1:8000" });
    expect(JSON.stringify(error)).not.toContain("10.0.0.1");
    expect(JSON.stringify(error)).not.toContain("errors.test");
    const spread = Object.fromEntries(Object.entries(error));
    expect(spread).toHaveProperty("code");
    expect(spread).not.toHaveProperty("cause");
    expect(spread).not.toHaveProperty("stack");
  });
});

describe("asGatewayError", () => {
  test("returns a GatewayError itself", () => {
    const error = new GatewayError("rate_limited", "Slow down.");
    expect(asGatewayError(error)).toBe(error);
  });

  test.for([
    new TypeError("fetch failed: 10.0.0.1"),
    "10.0.0.1",
    undefined,
    null,
    { code: "not_found", message: "10.0.0.1" },
  ])("turns anything else into internal, with a text that says nothing of it: %o", (thrown) => {
    const error = asGatewayError(thrown);
    expect(error).toMatchObject({ code: "internal", status: 500, param: undefined });
    expect(error.message).toBe("The gateway failed. Try again, and report the request id if it stays.");
    expect(error.cause).toBe(thrown);
  });
});
