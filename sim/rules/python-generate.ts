import { listAt, numberAt, objectAt } from "../json.ts";
import { manyLogprobs } from "./python-both.ts";
import { unknownToken } from "./python-completions.ts";
import { bad, late, plain, range, schema } from "./python-refusals.ts";
import { SAMPLING } from "./python-sampling.ts";
import type { Rule } from "./rule.ts";

/** The sampling parameters by themselves: generate keeps them in an object of their own. */
const inSampling =
  (rule: Rule): Rule =>
  (body, request) =>
    rule(objectAt(body, "sampling_params") ?? {}, request);

/**
 * What the Python server refuses in generate, in its order. `stream_options` without a stream, and `prompt_logprobs`
 * with one, it ignores.
 */
export const GENERATE: readonly Rule[] = [
  (body) => (body["token_ids"] === undefined ? schema("missing", "token_ids", "Field required", body) : undefined),
  (body) => {
    const ids = listAt(body, "token_ids");
    if (ids.length > 0) return undefined;
    return schema("too_short", "token_ids", "List should have at least 1 item after validation, not 0", ids);
  },
  (body) => {
    const ids = listAt(body, "token_ids");
    const says = "Value error, token_ids must not contain negative values";
    return ids.some((id) => typeof id === "number" && id < 0)
      ? schema("value_error", "token_ids", says, ids)
      : undefined;
  },
  (body) =>
    body["sampling_params"] === undefined ? schema("missing", "sampling_params", "Field required", body) : undefined,
  ...SAMPLING.map(inSampling),
  inSampling((sampling) =>
    range(
      sampling,
      "prompt_logprobs",
      (value) => value < -1,
      (value) => bad(`prompt_logprobs must be non-negative or -1, got ${value}.`, "prompt_logprobs", value),
    ),
  ),
  unknownToken,
  (_, { promptTokens, model: { window } }) => {
    const says = `The decoder prompt (length ${promptTokens}) is longer than the maximum model length of ${window}. Make sure that \`max_model_len\` is no smaller than the number of text tokens.`;
    return promptTokens > window ? late(plain(says)) : undefined;
  },
  inSampling((sampling) => manyLogprobs(numberAt(sampling, "logprobs") ?? 0)),
];
