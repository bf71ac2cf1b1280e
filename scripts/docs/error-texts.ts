import type { ErrorCode } from "../../src/core/errors.ts";

export interface ErrorText {
  readonly cause: string;
  /** What the one who meets it can do. */
  readonly remedy: string;
}

/** Why each error comes and what to do; a code without a text does not compile. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  invalid_request: {
    cause: "The request makes no sense: `param` names what is wrong.",
    remedy: "Mend the request.",
  },
  context_length_exceeded: {
    cause:
      "The prompt does not fit into the model's context; `n_prompt_tokens` is its length, a lower bound where the message says “at least”, and `n_ctx` the context's. Where the message counts a completion too, it is the answer that does not fit beside it.",
    remedy: "Shorten the conversation; where the message counts a completion, asking for fewer tokens does too.",
  },
  invalid_api_key: {
    cause: "No key was sent, or one that is not known or has expired.",
    remedy: "Send a key as `Authorization: Bearer KEY` or `x-api-key`. Operator: is its hash in `API_KEYS`?",
  },
  permission_denied: {
    cause: "The key does not open this model.",
    remedy: "Ask for a model of `GET /v1/models`. Operator: `models` of the key.",
  },
  model_not_found: {
    cause: "No origin serves a model of this name.",
    remedy: "Ask for a model of `GET /v1/models`.",
  },
  not_found: { cause: "There is nothing at this path.", remedy: "Look at the base URL: it mostly ends in `/v1`." },
  method_not_allowed: {
    cause:
      "The path takes another method; `allow` names it. The preflight of a web page that is not listed ends so too.",
    remedy: "Use that. Operator: is the page's origin in `CORS_ALLOW_ORIGINS`?",
  },
  request_timeout: {
    cause: "The request's body did not arrive within `BODY_TIMEOUT_MS`.",
    remedy: "Send it again.",
  },
  request_too_large: {
    cause: "The request's body is longer than `MAX_BODY_BYTES`.",
    remedy: "Send less. Operator: raise the limit.",
  },
  unsupported_media_type: {
    cause: "The body is not JSON by its content-type, or is compressed.",
    remedy: "Send `content-type: application/json`, without a content-encoding.",
  },
  rate_limited: {
    cause: "Too many requests, by the origin's word or the gateway's own.",
    remedy: "Wait as long as `retry-after` says.",
  },
  internal: {
    cause: "A defect of the gateway.",
    remedy: "Try again; report it with the request id if it stays.",
  },
  misconfigured: {
    cause: "A setting is missing or wrong; the message names it.",
    remedy: "Operator: `npm run check-config`, then deploy.",
  },
  not_supported_by_origin: {
    cause: "The origin was started without this feature, or its model has none.",
    remedy: "Operator: the message names what vLLM needs.",
  },
  origin_auth: {
    cause: "The origin refuses the gateway's own key.",
    remedy: "Operator: `ORIGIN_API_KEY` or the Access service token; `check-config --live` tells.",
  },
  origin_cut: {
    cause: "The origin's answer ended before it was complete: it died, or a proxy between ended it.",
    remedy: "Try again. Operator: vLLM's log, and what stands between.",
  },
  origin_error: { cause: "The origin said that it failed.", remedy: "Try again. Operator: vLLM's log." },
  origin_protocol: {
    cause: "The origin said something that is not its protocol: a proxy's page, a redirect, a frame past its limit.",
    remedy: "Operator: is the URL in `ORIGINS` a vLLM server's? `check-config --live` tells.",
  },
  origin_unreachable: {
    cause: "No connection to the origin came about.",
    remedy: "Try again. Operator: is it up, and does its firewall let Cloudflare in?",
  },
  origin_unavailable: {
    cause: "The origin is busy or its engine is down, or no origin is usable.",
    remedy: "Wait as long as `retry-after` says. Operator: `GET /health`.",
  },
  origin_timeout: {
    cause: "The origin took the request and then said nothing for too long.",
    remedy: "Ask for less, or stream. Operator: the timeouts in Settings, and vLLM's queue.",
  },
};
