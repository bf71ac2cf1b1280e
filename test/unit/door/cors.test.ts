/** What a browser is told, header by header. */
import { describe, expect, test } from "vitest";
import { answerPreflight, letRead } from "../../../src/door/cors.ts";

const PAGE = "https://app.test";
const ALLOWED = new Set([PAGE, "http://localhost:5173"]);

function preflight(headers: Readonly<Record<string, string>>, method = "OPTIONS"): Response | undefined {
  return answerPreflight(new Request("https://gateway.test/v1/models", { method, headers }), ALLOWED);
}

/** What is allowed where `asked` is what the browser would send. */
function allowed(asked?: string): string | null | undefined {
  const list = asked === undefined ? {} : { "access-control-request-headers": asked };
  return preflight({ origin: PAGE, "access-control-request-method": "POST", ...list })?.headers.get(
    "access-control-allow-headers",
  );
}

const ALL =
  "authorization, x-api-key, content-type, accept, anthropic-version, anthropic-beta, " +
  "anthropic-dangerous-direct-browser-access, openai-organization, openai-project, openai-beta, idempotency-key, " +
  "last-event-id, traceparent, tracestate, user-agent, x-stainless-arch, x-stainless-helper, " +
  "x-stainless-helper-method, x-stainless-lang, x-stainless-os, x-stainless-package-version, " +
  "x-stainless-retry-count, x-stainless-runtime, x-stainless-runtime-version, x-stainless-timeout";

describe("a preflight", () => {
  test("of a listed page is answered in full", () => {
    const response = preflight({
      origin: PAGE,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    });
    expect(response?.status).toBe(204);
    expect(Object.fromEntries(response?.headers ?? [])).toEqual({
      "access-control-allow-headers": "authorization, content-type",
      "access-control-allow-methods": "GET, POST, HEAD, OPTIONS",
      "access-control-allow-origin": "https://app.test",
      "access-control-max-age": "86400",
      vary: "Origin, Access-Control-Request-Headers",
    });
  });

  test("allows what was asked for, as names and nothing else", () => {
    expect(allowed("X-Own-Header")).toBe("x-own-header");
    expect(allowed(" a ,\tb")).toBe("a, b");
    expect(allowed(Array.from({ length: 200 }, (_, at) => `x-own-${at}`).join(","))).toMatch(/^x-own-0, .*x-own-199$/);
  });

  test.each(["", ",", "a,,b", "a b", "*", "a,*", "a;b", '"a"', "a:b", "\u00fc", "a".repeat(4_097)])(
    "that asks for %j allows every header that a known client sends",
    (asked) => {
      expect(allowed(asked)).toBe(ALL);
    },
  );

  test("that asks for no header in particular does too", () => {
    expect(allowed()).toBe(ALL);
  });

  test.each<[string, Record<string, string>, string?]>([
    ["another origin", { origin: "https://other.test", "access-control-request-method": "POST" }],
    [
      "an origin that begins the same",
      { origin: "https://app.test.evil.test", "access-control-request-method": "POST" },
    ],
    ["another scheme", { origin: "http://app.test", "access-control-request-method": "POST" }],
    ["another port", { origin: "https://app.test:8443", "access-control-request-method": "POST" }],
    ["no origin to speak of", { origin: "null", "access-control-request-method": "POST" }],
    ["no page", { "access-control-request-method": "POST" }],
    ["a client that asks for its options only", { origin: PAGE }],
    ["a page that sends at once", { origin: PAGE, "access-control-request-method": "POST" }, "POST"],
  ])("of %s is none of ours", (_who, headers, method) => {
    expect(preflight(headers, method)).toBeUndefined();
  });
});

/** What an answer says of pages, among what it says. */
function read(headers: Readonly<Record<string, string>>, origins: ReadonlySet<string> = ALLOWED): object {
  const response = new Response("{}", { status: 502, headers: { "content-type": "application/json" } });
  letRead(response, new Request("https://gateway.test/v1/models", { headers }), origins);
  return Object.fromEntries(response.headers);
}

describe("an answer", () => {
  test("may be read by a listed page, and by no other", () => {
    expect(read({ origin: "http://localhost:5173" })).toEqual({
      "access-control-allow-origin": "http://localhost:5173",
      "access-control-expose-headers": "x-request-id, request-id, retry-after, retry-after-ms, x-should-retry, allow",
      "content-type": "application/json",
      vary: "Origin",
    });
    expect(read({ origin: "https://other.test" })).toEqual({ "content-type": "application/json", vary: "Origin" });
    expect(read({})).toEqual({ "content-type": "application/json", vary: "Origin" });
  });

  test("is as it was where no page is listed", () => {
    expect(read({ origin: PAGE }, new Set())).toEqual({ "content-type": "application/json" });
  });
});
