/** The one mapping from an origin's status, of its answer or of an error event, to what a client is told. */
import { GatewayError } from "../../core/errors.ts";
import type { ErrorCode, ErrorDetails } from "../../core/errors.ts";
import { readContextOverflow } from "./context.ts";
import { namedSwitch } from "./insides.ts";
import type { Said } from "./said.ts";
import { clientSentence } from "./sentence.ts";

/** What the mapping needs beside status and words. */
export interface Circumstances {
  readonly promptParam: string;
  readonly retryAfterMs: number | undefined;
  /** The log's evidence; nothing of the origin's words. */
  readonly cause: string;
}

/** Said to a client that should come again where the origin gave no time. */
const DEFAULT_RETRY_AFTER_MS = 1000;

/** Our own words for what is not the client's to mend: there the origin's are never shown. */
const SENTENCES = {
  not_supported_by_origin: "The origin does not support this operation.",
  origin_auth: "The origin did not accept the gateway's own credentials.",
  origin_error: "The origin failed while it worked on this request.",
  origin_protocol: "The origin answered with a redirect, which is not followed.",
  origin_timeout: "The origin did not answer in time.",
  origin_unavailable: "The origin cannot take this request now. Try again later.",
  origin_unreachable: "The origin could not be reached.",
  rate_limited: "The origin is receiving too many requests. Try again later.",
  request_too_large: "The request is larger than the origin accepts.",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Returns what `status`, which is not a success, means in the light of what the origin said. */
export function refusal(status: number, said: Said, circumstances: Circumstances): GatewayError {
  const { cause, retryAfterMs } = circumstances;
  switch (status) {
    case 401:
      return fixed("origin_auth", { cause });
    case 403:
      return forbidden(said, cause);
    case 404:
      return saysModel(said) ? modelNotFound(said.message, cause) : fixed("not_supported_by_origin", { cause });
    case 405:
    case 501:
      return fixed("not_supported_by_origin", { cause });
    case 408:
    case 504:
    case 524:
      return fixed("origin_timeout", { cause });
    case 413:
      return fixed("request_too_large", { cause });
    case 429:
      return fixed("rate_limited", retryAfterMs === undefined ? { cause } : { cause, retryAfterMs });
    case 500:
      return fixed("origin_error", { status: 500, cause });
    case 503:
      return fixed("origin_unavailable", { cause, retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_AFTER_MS });
    case 520:
    case 521:
    case 522:
    case 523:
    case 525:
    case 526:
    case 530:
      return fixed("origin_unreachable", { cause });
    default:
      if (status < 400) return fixed("origin_protocol", { cause });
      return status < 500 ? invalidRequest(status, said, circumstances) : fixed("origin_error", { cause });
  }
}

function fixed(code: keyof typeof SENTENCES, details: ErrorDetails): GatewayError {
  return new GatewayError(code, SENTENCES[code], details);
}

/** vLLM's own 403 is an operation that a switch would turn on; any other refuses our key. */
function forbidden(said: Said, cause: string): GatewayError {
  const name = namedSwitch(said.message);
  if (name === undefined) return fixed("origin_auth", { cause });
  const sentence = `${SENTENCES.not_supported_by_origin} vLLM's switch ${name} turns it on.`;
  return new GatewayError("not_supported_by_origin", sentence, { cause });
}

function saysModel(said: Said): boolean {
  if (said.param === "model" || said.code === "model_not_found" || said.type === "model_not_found") return true;
  return /\bmodel\b.{0,300}(?:not exist|not found|unknown)/i.test(said.message);
}

/** Keeps the name that was asked for, and drops the names that vLLM offers instead: they are other tenants'. */
function modelNotFound(message: string, cause: string): GatewayError {
  const name = /^The model `([^`\n]{1,256})` does not exist\b/.exec(message)?.[1];
  // A model may be called by the place of its files, and that is the origin's.
  const shown = name !== undefined && !/^[~.]*\/|^[A-Za-z]:\\|:\/\//.test(name);
  const sentence = shown ? `The model \`${name}\` does not exist.` : "The model does not exist.";
  return new GatewayError("model_not_found", sentence, { param: "model", cause });
}

function invalidRequest(status: number, said: Said, { promptParam, cause }: Circumstances): GatewayError {
  const overflow = readContextOverflow(said.message, said.param, promptParam, cause);
  if (overflow !== undefined) return overflow;
  const { message, param } = clientSentence(said.message, said.param);
  const details = { status: status === 422 ? 422 : 400, cause };
  return new GatewayError("invalid_request", message, param === undefined ? details : { ...details, param });
}
