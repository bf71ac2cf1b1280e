/** Requests that nobody takes, or only one of the front ends, and what a client is told. */
import { expect } from "vitest";
import type { Json } from "../../support/chat-records.ts";
import { NO_THINKING, say } from "./requests.ts";
import type { Answer } from "./stage.ts";

export const FAILED = {
  message: "The origin failed while it worked on this request.",
  type: "server_error",
  param: null,
  code: "origin_error",
};

export const MODEL_NOT_FOUND = {
  message: "The model `nope` does not exist.",
  type: "invalid_request_error",
  param: "model",
  code: "model_not_found",
};

/** Words of one front end or the other that mean nothing to a client: classes, types, addresses, places in its code. */
export const INSIDES =
  /pydantic|validation error|parameter=|'loc'|body\.|deserialize|untagged|variant|Number\(|String\(|\b[iuf](?:32|64)\b|line \d+ column|EngineCore|engine-core|Traceback|InternalServerError|BadRequestError|NotFoundError|json_parse_error|Internal server error|127\.0\.0\.1|Valid aliases/i;

/** Returns the status and error of an answer, once it is clear that nothing of vLLM's insides shows. */
export function errorOf({ status, text }: Answer): object {
  expect(text).not.toMatch(INSIDES);
  return { status, ...JSON.parse(text).error };
}

interface OurRefusal {
  readonly name: string;
  readonly request: Json;
  readonly message: string;
  readonly param: string;
}

/** The gateway knows these without asking. */
export const OURS: readonly OurRefusal[] = [
  {
    name: "top_p",
    request: { top_p: 1.5 },
    message: '"top_p" must be a number greater than 0 and at most 1.',
    param: "top_p",
  },
  { name: "n", request: { n: 0 }, message: '"n" must be a whole number from 1 to 16384.', param: "n" },
  { name: "no messages", request: { messages: undefined }, message: '"messages" is required.', param: "messages" },
  {
    name: "no schema",
    request: { response_format: { type: "json_schema" } },
    message: '"response_format" of type json_schema needs its json_schema.',
    param: "response_format",
  },
  {
    name: "a choice of tools without tools",
    request: { tool_choice: "required" },
    message: '"tool_choice" needs "tools".',
    param: "tool_choice",
  },
];

export interface Told {
  readonly message: string | object;
  readonly param?: string;
}

interface VllmRefusal {
  readonly name: string;
  readonly request: Json;
  readonly python: Told | "accepted" | "failed";
  readonly rust: Told | "accepted" | "failed";
}

/** Only vLLM knows these: its model, its grammars, its limits. */
export const VLLMS: readonly VllmRefusal[] = [
  {
    name: "a schema that is none",
    request: { response_format: { type: "json_schema", json_schema: { name: "x", schema: { type: "nonsense" } } } },
    python: { message: "Grammar error: Invalid type: nonsense" },
    rust: "failed",
  },
  {
    name: "a kind of response format that is none",
    request: { response_format: { type: "yaml" } },
    python: {
      message: "\"response_format.type\" must be 'text', 'json_object' or 'json_schema'.",
      param: "response_format.type",
    },
    rust: {
      message: '"response_format.type" must be one of "text", "json_object", "json_schema", "structural_tag".',
      param: "response_format.type",
    },
  },
  {
    name: "more log-probabilities than it gives",
    request: { logprobs: true, top_logprobs: 100 },
    python: { message: "Requested sample logprobs of 100, which is greater than max allowed: 20", param: "logprobs" },
    rust: { message: "requested logprobs of 100, which is greater than max allowed: 20", param: "logprobs" },
  },
  {
    name: "a token that is not in its vocabulary",
    request: { logit_bias: { 99999999: 1 } },
    python: {
      message: matching(
        /^token_id\(s\) \[99999999\] in logit_bias contain out-of-vocab token ids\. Vocabulary size: \d+$/,
      ),
      param: "logit_bias",
    },
    rust: {
      message: matching(/^token_id\(s\) \[99999999\] in logit_bias are out of vocabulary\. Vocabulary size: \d+$/),
      param: "logit_bias",
    },
  },
  {
    name: "too many stop strings",
    request: { stop: ["a", "b", "c", "d", "e"] },
    python: { message: '"stop" must have at most 4 items.', param: "stop" },
    rust: { message: "stop strings must contain at most 4 items", param: "stop" },
  },
  {
    name: "template arguments that are none",
    request: { chat_template_kwargs: "x" },
    python: { message: '"chat_template_kwargs" must be an object.', param: "chat_template_kwargs" },
    rust: { message: '"chat_template_kwargs" must be an object.', param: "chat_template_kwargs" },
  },
  {
    name: "two choices where chance has no say",
    request: { n: 2, temperature: 0 },
    python: { message: "n must be 1 when using greedy sampling, got 2.", param: "n" },
    rust: { message: "Only n=1 is supported.", param: "n" },
  },
  {
    name: "a cache salt that is empty",
    request: { cache_salt: "" },
    python: { message: "Parameter 'cache_salt' must be a non-empty string if provided.", param: "cache_salt" },
    rust: { message: '"cache_salt" must not be empty.', param: "cache_salt" },
  },
  {
    name: "a picture",
    request: {
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } }] }],
    },
    python: { message: "The model does not accept images, audio or video." },
    rust: { message: "unsupported multimodal content: image_url" },
  },
  {
    name: "a part of a kind that is none",
    request: { messages: [{ role: "user", content: [{ type: "hologram" }] }] },
    python: { message: "The request is not valid." },
    rust: { message: 'The value of "messages[0]" is not valid.', param: "messages[0]" },
  },
  {
    name: "a limit beyond its context",
    request: { ...say("ok"), max_tokens: 1_000_000, ...NO_THINKING },
    python: {
      message: matching(/^max_tokens is too large: 1000000\. This model's maximum context length is \d+ tokens\.$/),
      param: "max_tokens",
    },
    rust: "accepted",
  },
  {
    name: "an empty bad word",
    request: { ...say("ok"), bad_words: [""], ...NO_THINKING },
    python: { message: "bad_words cannot contain an empty string. Got bad_words=['']", param: "bad_words" },
    rust: "accepted",
  },
];

/** Numbers of the model's own stand in the sentence. */
export function matching(sentence: RegExp): object {
  return { asymmetricMatch: (said: unknown) => typeof said === "string" && sentence.test(said) };
}
