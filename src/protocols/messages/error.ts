/** Errors as Anthropic's clients read them: https://docs.anthropic.com/en/api/errors */
import type { GatewayError } from "../../core/errors.ts";
import { formatEvent } from "../../sse/format.ts";

/** Returns the JSON body of an HTTP error. */
export function writeMessagesError(error: GatewayError, requestId: string): string {
  return JSON.stringify({ ...errorEvent(error), request_id: requestId });
}

/** Returns the record that ends a stream with `error`; neither `message_delta` nor `message_stop` follows it. */
export function formatMessagesError(error: GatewayError): Uint8Array {
  return formatEvent("error", JSON.stringify(errorEvent(error)));
}

function errorEvent(error: GatewayError): object {
  const details = error.param === "thread" ? { details: WITHOUT_THREADS } : {};
  return { type: "error", error: { type: errorType(error.status), message: sentence(error), ...details } };
}

/** Anthropic's SDK opens a thread for the loops of its tool runner; told this, it goes on without one by itself. */
const WITHOUT_THREADS = { error_code: "thread_unsupported_request", unsupported: ["thread"] };

function errorType(status: number): string {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 408:
    case 504:
      return "timeout_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 503:
    case 529:
      return "overloaded_error";
    default:
      return status < 500 ? "invalid_request_error" : "api_error";
  }
}

/** An overflow of the context is told in the words by which Claude Code knows that it has to compact, or to ask for less. */
function sentence({ message, context }: GatewayError): string {
  if (context?.promptTokens === undefined || context.maxTokens === undefined) {
    return context ? `prompt is too long: ${message}` : message;
  }
  const { promptTokens: prompt, completionTokens: completion, maxTokens: most } = context;
  if (prompt <= most && completion !== undefined) {
    const sum = `${prompt} + ${completion} > ${most}`;
    return `input length and \`max_tokens\` exceed context limit: ${sum}, decrease input length or \`max_tokens\` and try again`;
  }
  return `prompt is too long: ${prompt} tokens > ${most} maximum`;
}
