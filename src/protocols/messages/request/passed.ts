/** Fields of vLLM's that this protocol does not have, and that pass on as they are: what vLLM's clients add to it. */
import * as z from "zod/mini";
import type { JsonObject } from "../../../core/json/object.ts";
import { absent, check, whole } from "../../../vllm/rules.ts";
import { samplingFields } from "../../../vllm/sampling.ts";

export const PASSED = [
  "seed",
  "min_p",
  "repetition_penalty",
  "presence_penalty",
  "frequency_penalty",
  "min_tokens",
  "stop_token_ids",
  "ignore_eos",
  "include_stop_str_in_output",
  "skip_special_tokens",
  "spaces_between_special_tokens",
  "bad_words",
  "allowed_token_ids",
  "logit_bias",
  "structured_outputs",
  "chat_template",
  "mm_processor_kwargs",
  "media_io_kwargs",
  "documents",
  "priority",
  "cache_salt",
  "kv_transfer_params",
  "vllm_xargs",
  "thinking_token_budget",
] as const;

const schema = z.lazy(() => {
  const { seed, min_p, repetition_penalty, presence_penalty, frequency_penalty, min_tokens } = samplingFields();
  return z.looseObject({
    seed,
    min_p,
    repetition_penalty,
    presence_penalty,
    frequency_penalty,
    min_tokens,
    thinking_token_budget: whole(-1),
    chat_template: absent(z.string("must be a string")),
  });
});

/** Returns those of the fields that are there. Throws for one that vLLM would refuse. */
export function readPassed(request: JsonObject): JsonObject {
  check(schema, request);
  return Object.fromEntries(
    PASSED.map((field) => [field, request[field] ?? undefined] as const).filter(([, value]) => value !== undefined),
  );
}
