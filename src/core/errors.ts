/**
 * The one error that crosses the gateway, and the closed list of its codes.
 *
 * `vllm/errors` turns what an origin says into it, each protocol writes it in its own shape. `cause` is for the
 * log alone and is never sent to a client.
 */

interface ErrorKind {
  /** The HTTP status unless the error names another. */
  readonly status: number;
  /** Whether the same request may succeed when it is sent again (`x-should-retry`). */
  readonly retry: boolean;
}

/** Every code a client can meet. 4xx is the client's to mend, 5xx ours or the origin's. */
export const ERROR_KINDS = {
  invalid_request: { status: 400, retry: false },
  context_length_exceeded: { status: 400, retry: false },
  invalid_api_key: { status: 401, retry: false },
  permission_denied: { status: 403, retry: false },
  model_not_found: { status: 404, retry: false },
  not_found: { status: 404, retry: false },
  method_not_allowed: { status: 405, retry: false },
  request_timeout: { status: 408, retry: true },
  request_too_large: { status: 413, retry: false },
  unsupported_media_type: { status: 415, retry: false },
  rate_limited: { status: 429, retry: true },
  internal: { status: 500, retry: true },
  misconfigured: { status: 500, retry: false },
  not_supported_by_origin: { status: 501, retry: false },
  origin_auth: { status: 502, retry: false },
  /** The origin's stream or body ended before the answer did. */
  origin_cut: { status: 502, retry: true },
  /** The origin said that it failed. */
  origin_error: { status: 502, retry: true },
  /** The origin said something that is not its protocol. */
  origin_protocol: { status: 502, retry: false },
  origin_unreachable: { status: 502, retry: true },
  origin_unavailable: { status: 503, retry: true },
  /** The origin took the request and fell silent: a retry would start the work again. */
  origin_timeout: { status: 504, retry: false },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

/** What is known of a prompt that does not fit into the model's context. */
export interface ContextOverflow {
  readonly promptTokens: number | undefined;
  /** What was asked for beside the prompt, where the origin counts that too. */
  readonly completionTokens: number | undefined;
  readonly maxTokens: number | undefined;
  /** Whether `promptTokens` is only a lower bound: the origin may stop counting at its limit. */
  readonly atLeast: boolean;
}

export interface ErrorDetails {
  /** HTTP status; the code's own by default. */
  readonly status?: number | undefined;
  /** The request's parameter at fault, in the client's own spelling. */
  readonly param?: string | undefined;
  /** How long the client should wait before it tries again, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The numbers behind `context_length_exceeded`. */
  readonly context?: ContextOverflow | undefined;
  /** Evidence for the log. Must hold nothing of a body, a key or a prompt. */
  readonly cause?: unknown;
}

export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly context: ContextOverflow | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "GatewayError";
    this.code = code;
    this.status = details.status ?? ERROR_KINDS[code].status;
    this.param = details.param;
    this.retryAfterMs = details.retryAfterMs;
    this.context = details.context;
  }

  /** Returns the same error in other words. */
  reworded(message: string): GatewayError {
    return new GatewayError(this.code, message, this);
  }

  /** Whether the same request may succeed when it is sent again. */
  get retry(): boolean {
    return ERROR_KINDS[this.code].retry;
  }
}

/** Returns `thrown` itself when it is a GatewayError, else `internal` with a fixed text and `thrown` as its cause. */
export function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError("internal", "The gateway failed. Try again, and report the request id if it stays.", {
    cause: thrown,
  });
}
