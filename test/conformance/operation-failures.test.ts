/** Every recorded exchange of completions and generate that we refuse, or that the origin does: what the client is told. */
import { expect, test } from "vitest";
import type { Call } from "../../src/protocols/protocol.ts";
import { readErrorResponse } from "../../src/vllm/errors.ts";
import { oneLine, readCompletions, readGeneration, refusalOf } from "../support/operations.ts";
import { replayStream, streamCall } from "../support/replay.ts";
import { isStream, isWhole, transcripts, type Transcript } from "../support/transcripts.ts";

const EMPTY_PROMPT = '"prompt" must not be empty.';
const NO_PROMPT = '"prompt" is required.';
const PROMPT_FORM = 'The value of "prompt" is not valid.';
const STREAM_OPTIONS = '"stream_options" goes only with "stream": true.';
const PROMPT_LOGPROBS = '"prompt_logprobs" cannot be had with "stream": true.';
const NO_IDS = '"token_ids" must be a list with at least one token id.';
const NEGATIVE_ID = '"token_ids" must hold whole numbers that are not negative.';
const LIMIT = '"max_tokens" must be a whole number greater than 0.';
const BAD_LOGPROBS = '"prompt_logprobs" must be a whole number that is not negative, or -1.';
const COUNT = '"n" must be a whole number of 1 or more.';
const NO_SAMPLING = '"sampling_params" is required and must be an object.';
const NO_MODEL = "The model `nope` does not exist.";
const ENGINE = "The origin failed while it worked on this request.";
const KEY = "The origin did not accept the gateway's own credentials.";

/** The words of an overflow, with its two numbers at the end as they are told beside it. */
function overflow(resulted: string, tokens: number): string {
  return `This model's maximum context length is 2048 tokens. However, your prompt ${resulted} ${tokens} tokens. Please reduce the length of the prompt. ${tokens}/2048`;
}

const FAILURES: Readonly<Record<string, string>> = {
  "python/comp-err-context": `context_length_exceeded 400 prompt ${overflow("resulted in at least", 2049)}`,
  "python/comp-err-empty-prompt": `invalid_request 400 prompt ${EMPTY_PROMPT}`,
  "python/comp-err-logprobs":
    "invalid_request 400 logprobs Requested sample logprobs of 100, which is greater than max allowed: 20",
  "python/comp-err-model": `model_not_found 404 model ${NO_MODEL}`,
  "python/comp-err-no-prompt": `invalid_request 400 prompt ${NO_PROMPT}`,
  "python/comp-err-out-of-vocab": "invalid_request 400 - Token id 999999 is out of vocabulary",
  "python/comp-err-prompt-logprobs": `invalid_request 400 prompt_logprobs ${PROMPT_LOGPROBS}`,
  "python/comp-err-second-prompt": `context_length_exceeded 400 prompt ${overflow("resulted in at least", 2049)}`,
  "python/comp-err-stream-options": `invalid_request 400 stream_options ${STREAM_OPTIONS}`,
  "python/comp-err-suffix":
    "invalid_request 400 suffix suffix is only supported for models with FIM completion rendering",
  "python-die/die-comp": `origin_error 500 - ${ENGINE}`,
  "rust/comp-err-context": `context_length_exceeded 400 prompt ${overflow("resulted in", 3001)}`,
  "rust/comp-err-empty-prompt": `invalid_request 400 prompt ${EMPTY_PROMPT}`,
  "rust/comp-err-logprobs":
    "invalid_request 400 logprobs requested logprobs of 100, which is greater than max allowed: 20",
  "rust/comp-err-model": `model_not_found 404 model ${NO_MODEL}`,
  "rust/comp-err-no-prompt": `invalid_request 400 prompt ${NO_PROMPT}`,
  "rust/comp-err-out-of-vocab":
    "invalid_request 400 - token_id(s) [999999] in prompt are out of vocabulary. Vocabulary size: 6025",
  "rust/comp-err-prompt-logprobs": `invalid_request 400 prompt_logprobs ${PROMPT_LOGPROBS}`,
  "rust/comp-err-second-prompt": `invalid_request 400 prompt ${PROMPT_FORM}`,
  "rust/comp-err-stream-options": `invalid_request 400 stream_options ${STREAM_OPTIONS}`,
  "rust/comp-err-suffix": "invalid_request 400 suffix suffix is not supported.",
  "rust/comp-full-prompts": `invalid_request 400 prompt ${PROMPT_FORM}`,
  "rust/comp-n2": "invalid_request 400 n Only n=1 is supported.",
  "rust/comp-prompts": `invalid_request 400 prompt ${PROMPT_FORM}`,
  "rust/comp-token-prompts": `invalid_request 400 prompt ${PROMPT_FORM}`,
  "rust-die/die-comp": `origin_error 500 - ${ENGINE}`,
  "python/gen-err-context": `context_length_exceeded 400 token_ids ${overflow("resulted in", 5000)}`,
  "python/gen-err-empty": `invalid_request 400 token_ids ${NO_IDS}`,
  "python/gen-err-max0": `invalid_request 400 sampling_params ${LIMIT}`,
  "python/gen-err-missing": `invalid_request 400 token_ids ${NO_IDS}`,
  "python/gen-err-model": `model_not_found 404 model ${NO_MODEL}`,
  "python/gen-err-n0": `invalid_request 400 sampling_params ${COUNT}`,
  "python/gen-err-negative": `invalid_request 400 token_ids ${NEGATIVE_ID}`,
  "python/gen-err-prompt-logprobs-negative": `invalid_request 400 sampling_params ${BAD_LOGPROBS}`,
  "python/gen-err-prompt-logprobs-stream": `invalid_request 400 sampling_params ${PROMPT_LOGPROBS}`,
  "python/gen-err-stream-options": `invalid_request 400 stream_options ${STREAM_OPTIONS}`,
  "python/gen-err-vocab": "invalid_request 400 - Token id 999999 is out of vocabulary",
  "python/gen-no-sampling": `invalid_request 400 sampling_params ${NO_SAMPLING}`,
  "python-bare/noauth-generate": `origin_auth 502 - ${KEY}`,
  "rust/gen-err-context": `context_length_exceeded 400 token_ids ${overflow("resulted in", 5000)}`,
  "rust/gen-err-empty": `invalid_request 400 token_ids ${NO_IDS}`,
  "rust/gen-err-max0": `invalid_request 400 sampling_params ${LIMIT}`,
  "rust/gen-err-missing": `invalid_request 400 token_ids ${NO_IDS}`,
  "rust/gen-err-model": `model_not_found 404 model ${NO_MODEL}`,
  "rust/gen-err-n0": `invalid_request 400 sampling_params ${COUNT}`,
  "rust/gen-err-negative": `invalid_request 400 token_ids ${NEGATIVE_ID}`,
  "rust/gen-err-prompt-logprobs-negative": `invalid_request 400 sampling_params ${BAD_LOGPROBS}`,
  "rust/gen-err-prompt-logprobs-stream": `invalid_request 400 sampling_params ${PROMPT_LOGPROBS}`,
  "rust/gen-err-stream-options": `invalid_request 400 stream_options ${STREAM_OPTIONS}`,
  "rust/gen-err-vocab":
    "invalid_request 400 - token_id(s) [999999] in prompt are out of vocabulary. Vocabulary size: 6025",
  "rust/gen-n2": "invalid_request 400 n Only n=1 is supported.",
  "rust/gen-no-sampling": `invalid_request 400 sampling_params ${NO_SAMPLING}`,
  "rust-bare/noauth-generate": `origin_auth 502 - ${KEY}`,
};

/** Returns how the exchange fails: by our own rules, by the origin's status or by an event in its stream. */
function failureOf(transcript: Transcript, read: (request: string) => Call): string {
  const refusal = refusalOf(() => read(transcript.request));
  if (refusal !== "passes" || isWhole(transcript)) return refusal;
  const call = read(transcript.request);
  const failure = isStream(transcript)
    ? replayStream(streamCall(call), [transcript.body]).failure
    : readErrorResponse(
        { status: transcript.status, body: new TextDecoder().decode(transcript.body) },
        call.promptParam,
      );
  if (!failure) return "passes";
  const { context } = failure;
  return oneLine(failure) + (context ? ` ${context.promptTokens}/${context.maxTokens}` : "");
}

test("the table names every exchange that fails, and no other", () => {
  const found: [string, string][] = [
    ...transcripts("/v1/completions").map((one) => [one.name, failureOf(one, readCompletions)] as const),
    ...transcripts("/inference/v1/generate").map(
      (one) => [one.name, failureOf(one, (request) => readGeneration(request, ["tiny"]))] as const,
    ),
  ].filter((entry): entry is [string, string] => entry[1] !== "passes");
  expect(Object.fromEntries(found)).toEqual(FAILURES);
});
