/**
 * Which pages of a browser may call and read. A page of an origin that is listed may; for any other nothing is said, and
 * so its browser refuses. Cookies are never asked for: a key is a header that the page itself sets.
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 */

/** What browsers send as `origin`, of the pages that may call. */
export type AllowedOrigins = ReadonlySet<string>;

/** What a page may read of an answer, beside its body and what every page may. */
const EXPOSED = ["x-request-id", "request-id", "retry-after", "retry-after-ms", "x-should-retry", "allow"].join(", ");

const METHODS = "GET, POST, HEAD, OPTIONS";

/**
 * What is allowed where the browser does not say what it would send, or says what is no list of names. All by name: `*`
 * never covers `authorization`.
 */
const HEADERS = [
  "authorization",
  "x-api-key",
  "content-type",
  "accept",
  "anthropic-version",
  "anthropic-beta",
  "anthropic-dangerous-direct-browser-access",
  "openai-organization",
  "openai-project",
  "openai-beta",
  "idempotency-key",
  "last-event-id",
  "traceparent",
  "tracestate",
  "user-agent",
  "x-stainless-arch",
  "x-stainless-helper",
  "x-stainless-helper-method",
  "x-stainless-lang",
  "x-stainless-os",
  "x-stainless-package-version",
  "x-stainless-retry-count",
  "x-stainless-runtime",
  "x-stainless-runtime-version",
  "x-stainless-timeout",
].join(", ");

/** A day; browsers cut it to what they allow themselves. */
const MAX_AGE_S = "86400";

/** No client of ours asks for a tenth of this. */
const MAX_ASKED_LENGTH = 4_096;

/**
 * Returns the answer to a browser that asks whether a page of a listed origin may send a request; `undefined` for any
 * other request. It says nothing of keys or routes: a browser asks without the key, and whatever the path answers, the
 * page may read it.
 */
export function answerPreflight({ method, headers }: Request, allowed: AllowedOrigins): Response | undefined {
  const origin = headers.get("origin");
  if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
  if (origin === null || !allowed.has(origin)) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": allowedHeaders(headers.get("access-control-request-headers")),
      "access-control-max-age": MAX_AGE_S,
      vary: "Origin, Access-Control-Request-Headers",
    },
  });
}

/** Lets a page of a listed origin read `response`, whatever its status. Without a list nothing is changed. */
export function letRead(response: Response, { headers }: Request, allowed: AllowedOrigins): void {
  if (allowed.size === 0) return;
  response.headers.set("vary", "Origin");
  const origin = headers.get("origin");
  if (origin === null || !allowed.has(origin)) return;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", EXPOSED);
}

/** What was asked for is echoed, so that a client with headers of its own is not shut out; nothing else gets into a header. */
function allowedHeaders(asked: string | null): string {
  if (asked === null || asked.length > MAX_ASKED_LENGTH) return HEADERS;
  const names = asked.split(",").map((name) => name.trim().toLowerCase());
  return names.every(isHeaderName) ? names.join(", ") : HEADERS;
}

/** `*` is a token too, and would be read as more than a name. */
function isHeaderName(text: string): boolean {
  return text !== "*" && /^[!#$%&'*+.^_`|~\da-z-]+$/.test(text);
}
