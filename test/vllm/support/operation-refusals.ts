/** Requests for completions and generate that nobody takes, or only one of the front ends, and what a client is told. */
import { inject } from "vitest";
import type { Json } from "../../support/chat-records.ts";
import { COMPLETIONS, completion, GENERATE, generation } from "./operations.ts";
import { matching, type Told } from "./refusals.ts";
import { say } from "./requests.ts";

const { model } = inject("vllm");

interface OurRefusal {
  readonly name: string;
  readonly request: Json;
  readonly status?: 404;
  readonly message: string;
  readonly param: string;
}

/** The gateway knows these of completions without asking. */
export const OUR_COMPLETIONS: readonly OurRefusal[] = [
  { name: "no prompt", request: { prompt: undefined }, message: '"prompt" is required.', param: "prompt" },
  { name: "an empty prompt", request: { prompt: "" }, message: '"prompt" must not be empty.', param: "prompt" },
  {
    name: "no tokens without the prompt",
    request: { max_tokens: 0 },
    message: '"max_tokens" may be 0 only with "echo": true.',
    param: "max_tokens",
  },
  {
    name: "options of a stream that is none",
    request: { stream: false, stream_options: {} },
    message: '"stream_options" goes only with "stream": true.',
    param: "stream_options",
  },
  {
    name: "log-probabilities of a streamed answer's prompt",
    request: { stream: true, prompt_logprobs: 1 },
    message: '"prompt_logprobs" cannot be had with "stream": true.',
    param: "prompt_logprobs",
  },
];

/** Of several faults of a generate request, the first in this order is told: each request has all that come after it, too. */
export const OUR_GENERATIONS: readonly OurRefusal[] = [
  {
    name: "a model that is not there",
    request: { model: "nope", stream_options: {}, token_ids: [] },
    status: 404,
    message: "The model `nope` does not exist.",
    param: "model",
  },
  {
    name: "a model without a name",
    request: { model: "", stream_options: {}, token_ids: [] },
    status: 404,
    message: "The model's name must not be empty.",
    param: "model",
  },
  {
    name: "options of a stream that is none",
    request: { model, stream_options: {}, token_ids: [] },
    message: '"stream_options" goes only with "stream": true.',
    param: "stream_options",
  },
  {
    name: "no token ids",
    request: { model, stream_options: null, token_ids: [] },
    message: '"token_ids" must be a list with at least one token id.',
    param: "token_ids",
  },
  {
    name: "a negative token id",
    request: { model, token_ids: [40, -1] },
    message: '"token_ids" must hold whole numbers that are not negative.',
    param: "token_ids",
  },
  {
    name: "no parameters",
    request: { model, token_ids: [40] },
    message: '"sampling_params" is required and must be an object.',
    param: "sampling_params",
  },
  {
    name: "no tokens",
    request: { model, token_ids: [40], sampling_params: { max_tokens: 0, prompt_logprobs: -2, n: 0 } },
    message: '"max_tokens" must be a whole number greater than 0.',
    param: "sampling_params",
  },
  {
    name: "fewer log-probabilities than none",
    request: { model, token_ids: [40], sampling_params: { prompt_logprobs: -2, n: 0 }, stream: true },
    message: '"prompt_logprobs" must be a whole number that is not negative, or -1.',
    param: "sampling_params",
  },
  {
    name: "log-probabilities of a streamed answer's prompt",
    request: { model, token_ids: [40], sampling_params: { prompt_logprobs: 1, n: 0 }, stream: true },
    message: '"prompt_logprobs" cannot be had with "stream": true.',
    param: "sampling_params",
  },
  {
    name: "no choices",
    request: { model, token_ids: [40], sampling_params: { n: 0 } },
    message: '"n" must be a whole number of 1 or more.',
    param: "sampling_params",
  },
];

interface VllmRefusal {
  readonly name: string;
  readonly path: string;
  readonly request: Json;
  readonly python: Told | "accepted";
  readonly rust: Told | "accepted";
}

const NO_SUCH_TOKEN = {
  python: { message: "Token id 999999 is out of vocabulary" },
  rust: {
    message: matching(/^token_id\(s\) \[999999\] in prompt are out of vocabulary\. Vocabulary size: \d+$/),
  },
};
const TOO_MANY_LOGPROBS = {
  python: { message: "Requested sample logprobs of 100, which is greater than max allowed: 20", param: "logprobs" },
  rust: { message: "requested logprobs of 100, which is greater than max allowed: 20", param: "logprobs" },
};

/** Only vLLM knows these. */
export const VLLM_OPERATIONS: readonly VllmRefusal[] = [
  {
    name: "a suffix",
    path: COMPLETIONS,
    request: completion({ ...say("ok"), suffix: "end" }),
    python: { message: "suffix is only supported for models with FIM completion rendering", param: "suffix" },
    rust: { message: "suffix is not supported.", param: "suffix" },
  },
  {
    name: "several prompts",
    path: COMPLETIONS,
    request: completion({ ...say("ok"), prompt: ["One", "Two"] }),
    python: "accepted",
    rust: { message: 'The value of "prompt" is not valid.', param: "prompt" },
  },
  {
    name: "several choices",
    path: COMPLETIONS,
    request: completion({ ...say("ok"), n: 2 }),
    python: "accepted",
    rust: { message: "Only n=1 is supported.", param: "n" },
  },
  {
    name: "a limit beyond the model's context",
    path: COMPLETIONS,
    request: completion({ ...say("ok"), max_tokens: 1_000_000 }),
    python: {
      message: matching(/^max_tokens is too large: 1000000\. This model's maximum context length is \d+ tokens\.$/),
      param: "max_tokens",
    },
    rust: "accepted",
  },
  {
    name: "a token that is none",
    path: COMPLETIONS,
    request: completion({ ...say("ok"), prompt: [999_999] }),
    ...NO_SUCH_TOKEN,
  },
  {
    name: "many log-probabilities",
    path: COMPLETIONS,
    request: completion({ ...say("ok"), logprobs: 100 }),
    ...TOO_MANY_LOGPROBS,
  },
  { name: "a token that is none", path: GENERATE, request: generation({}, { token_ids: [999_999] }), ...NO_SUCH_TOKEN },
  { name: "many log-probabilities", path: GENERATE, request: generation({ logprobs: 100 }), ...TOO_MANY_LOGPROBS },
  {
    name: "a temperature below zero",
    path: GENERATE,
    request: generation({ temperature: -1 }),
    python: { message: "temperature must be non-negative, got -1.0.", param: "temperature" },
    rust: { message: "temperature must be in [0, 2], got -1", param: "temperature" },
  },
];
