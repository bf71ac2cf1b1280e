/** Errors as OpenAI's clients read them: https://platform.openai.com/docs/guides/error-codes */
import type { GatewayError } from "../core/errors.ts";
import { formatData } from "../sse/format.ts";

/**
 * Returns `{"error": {message, type, param, code}}` as JSON text: the body of an HTTP error, and the data of an in-band one.
 * An overflow of the context tells its numbers of tokens too, as other servers of this protocol do: `n_prompt_tokens`
 * (a lower bound where the message says "at least") and `n_ctx`.
 */
export function writeOpenAIError(error: GatewayError): string {
  const { message, status, param = null, code, context } = error;
  const numbers = context && { n_prompt_tokens: context.promptTokens, n_ctx: context.maxTokens };
  return JSON.stringify({ error: { message, type: errorType(status), param, code, ...numbers } });
}

/** Returns the records that end a stream with `error`: the error, then the terminator, as vLLM does it. */
export function formatOpenAIFailure(error: GatewayError): Uint8Array[] {
  return [formatData(writeOpenAIError(error)), formatData("[DONE]")];
}

function errorType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}
