/** Responses: their status and headers. Nothing of an origin's own headers is ever among them. */
import type { GatewayError } from "../core/errors.ts";

const NOT_CACHED = "no-cache, no-store, no-transform";

/** Returns the head of a stream around `body`. */
export function respondStream(body: ReadableStream<Uint8Array>, requestId: string): Response {
  return new Response(body, {
    headers: {
      ...idHeaders(requestId),
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": NOT_CACHED,
      "x-accel-buffering": "no",
    },
  });
}

/** Returns a response whose body is `json`, whole or as it comes. */
export function respondJson(json: string | ReadableStream<Uint8Array>, requestId: string): Response {
  return new Response(json, {
    headers: { ...idHeaders(requestId), "content-type": "application/json", "cache-control": NOT_CACHED },
  });
}

/** Returns an error response with `json` as its body, and the retry hints that SDKs read. */
export function respondError(error: GatewayError, json: string, requestId: string): Response {
  const headers = new Headers({
    ...idHeaders(requestId),
    "content-type": "application/json",
    "cache-control": NOT_CACHED,
    "x-should-retry": String(error.retry),
  });
  if (error.retryAfterMs !== undefined) {
    headers.set("retry-after", String(Math.ceil(error.retryAfterMs / 1_000)));
    headers.set("retry-after-ms", String(error.retryAfterMs));
  }
  return new Response(json, { status: error.status, headers });
}

/** Both spellings: OpenAI's clients read the first, Anthropic's the second. */
function idHeaders(requestId: string): Record<string, string> {
  return { "x-request-id": requestId, "request-id": requestId };
}
