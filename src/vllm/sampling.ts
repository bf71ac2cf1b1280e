/** The sampling parameters that chat and completions share, with the ranges that vLLM 0.32 enforces in both dialects. */
import * as z from "zod/mini";
import { isObject, type JsonObject } from "../core/json/object.ts";
import { above, absent, flag, listOf, range, refuse, whole } from "./rules.ts";

const INT64 = 2 ** 63;

const stopString = z.lazy(() => z.string("must be a string").check(z.minLength(1, "must not be empty")));

/** Made when the first request asks for them, as every schema of requests is: a Worker starts faster than it makes them all. */
export const samplingFields = () => ({
  n: whole(1, 16_384),
  max_tokens: whole(1),
  min_tokens: whole(0),
  temperature: range(0, 2),
  top_p: above(0, 1),
  top_k: whole(-1),
  min_p: range(0, 1),
  presence_penalty: range(-2, 2),
  frequency_penalty: range(-2, 2),
  repetition_penalty: above(0),
  seed: absent(
    z
      .number("must be a whole number")
      .check(
        z.refine((seed) => Number.isInteger(seed) && Math.abs(seed) <= INT64, "must be a whole number of 64 bits"),
      ),
  ),
  stop: absent(
    z.union([stopString, listOf(stopString, "must be a list of strings")], "must be a string or a list of strings"),
  ),
  prompt_logprobs: whole(-1),
  stream: flag(),
  stream_options: absent(z.looseObject({ include_usage: flag(), continuous_usage_stats: flag() }, "must be an object")),
});

/** Throws `invalid_request` for what goes only with a stream, or only without one, and for limits that cross. */
export function checkStreaming(request: JsonObject): void {
  const streams = request["stream"] === true;
  if (!streams && isObject(request["stream_options"])) {
    throw refuse("stream_options", '"stream_options" goes only with "stream": true.');
  }
  // 0 and null ask for none.
  if (streams && request["prompt_logprobs"]) {
    throw refuse("prompt_logprobs", '"prompt_logprobs" cannot be had with "stream": true.');
  }
  const limit = request["max_completion_tokens"] ?? request["max_tokens"];
  if (typeof limit === "number" && typeof request["min_tokens"] === "number" && request["min_tokens"] > limit) {
    throw refuse("min_tokens", '"min_tokens" must not be greater than the limit of tokens.');
  }
}
