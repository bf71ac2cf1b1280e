/** What a vLLM server means by an error, whether it is a whole answer or an event in a stream that began well. */
import type { GatewayError } from "../core/errors.ts";
import { readError, readErrorBody } from "./errors/said.ts";
import type { Said } from "./errors/said.ts";
import { refusal } from "./errors/status.ts";

export interface ErrorResponse {
  readonly status: number;
  /** As much of the body as was read; anything at all may be in it. */
  readonly body: string;
  /** The origin's `retry-after`, where it sent one. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Returns what an origin's answer other than 2xx means. Never throws. `promptParam` is the client's parameter for the
 * prompt, `messages` by default: an overflow of the context is reported under it.
 */
export function readErrorResponse(response: ErrorResponse, promptParam = "messages"): GatewayError {
  const { status, body, retryAfterMs } = response;
  return refusal(status, readErrorBody(body), { promptParam, retryAfterMs, cause: `HTTP ${status}` });
}

/**
 * Returns what the `error` member of an error event, or of a body that came with 200, means. Never throws: an `error`
 * that tells no status is the origin's own failure. `promptParam` as for `readErrorResponse`.
 */
export function readErrorChunk(error: unknown, promptParam = "messages"): GatewayError {
  const said = readError(error);
  const status = innerStatus(said);
  return refusal(status, said, { promptParam, retryAfterMs: undefined, cause: `error event ${status}` });
}

/** The types that vLLM gives its errors, for events without a code. */
const TYPE_STATUS: ReadonlyMap<string, number> = new Map([
  ["Bad Request", 400],
  ["BadRequestError", 400],
  ["invalid_request_error", 400],
  ["AuthenticationError", 401],
  ["Not Found", 404],
  ["NotFoundError", 404],
  ["model_not_found", 404],
  ["not_found_error", 404],
  ["Unprocessable Entity", 422],
  ["UnprocessableEntityError", 422],
  ["RateLimitError", 429],
  ["rate_limit_error", 429],
  ["NotImplementedError", 501],
  ["Service Unavailable", 503],
  ["ServiceUnavailableError", 503],
  ["overloaded_error", 503],
]);

/** Python writes a status as `code`, Rust a word; a number that is no error's status says nothing. */
function innerStatus({ code, type }: Said): number {
  const status = Number(code);
  if (status >= 400 && status < 600) return Math.trunc(status);
  if (code === "server_error") return 500;
  if (code === "model_not_found") return 404;
  if (typeof code === "string" && code !== "" && Number.isNaN(status)) return 400;
  return TYPE_STATUS.get(type ?? "") ?? 500;
}
