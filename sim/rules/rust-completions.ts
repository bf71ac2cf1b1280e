import { numberAt } from "../json.ts";
import { manyLogprobs, onlyOne, streamOptions, tooLong, unknownToken } from "./rust-both.ts";
import { READING } from "./rust-json.ts";
import { json, plain } from "./rust-refusals.ts";
import type { Rule } from "./rule.ts";

/** What the Rust front end refuses in completions, in its order. */
export const COMPLETIONS: readonly Rule[] = [
  (body, request) => (body["prompt"] === undefined ? json("missing field `prompt`", request) : undefined),
  ({ prompt }, request) => {
    const one = typeof prompt === "string" || (Array.isArray(prompt) && prompt.every((id) => typeof id === "number"));
    return one ? undefined : json("prompt: data did not match any variant of untagged enum Prompt", request);
  },
  ...READING,
  streamOptions,
  onlyOne,
  ({ suffix }) => (suffix === undefined || suffix === null ? undefined : plain("suffix is not supported.", "suffix")),
  (body) =>
    body["stream"] === true && (numberAt(body, "prompt_logprobs") ?? 0) > 0
      ? plain("`prompt_logprobs` are not available when `stream=true`.", "prompt_logprobs")
      : undefined,
  (_, { promptTokens }) =>
    promptTokens === 0 ? plain("generate request `cmpl-d883835e` has an empty prompt_token_ids") : undefined,
  tooLong,
  unknownToken,
  (body) => manyLogprobs(numberAt(body, "logprobs") ?? 0),
];
