/** The sampling parameters that chat and completions share, with the ranges that vLLM 0.32 enforces in both dialects. */
import * as z from "zod/mini";
import { above, absent, flag, listOf, range, whole } from "./rules.ts";

const INT64 = 2 ** 63;

const stopString = z.string("must be a string").check(z.minLength(1, "must not be empty"));

export const samplingFields = {
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
};
