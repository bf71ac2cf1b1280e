import { numberAt } from "../json.ts";
import { VOCABULARY } from "../text/pieces.ts";
import { plain } from "./rust-refusals.ts";
import type { Rule } from "./rule.ts";

/* What several operations are refused alike. */

export const onlyOne: Rule = (body) =>
  (numberAt(body, "n") ?? 1) === 1 ? undefined : plain("Only n=1 is supported.", "n");

/** The prompt alone fills the window. */
export const tooLong: Rule = (_, { promptTokens, model: { window } }) =>
  promptTokens >= window
    ? plain(
        `this model's maximum context length is ${window} tokens, but the prompt contains ${promptTokens} input tokens`,
      )
    : undefined;

/** More log-probabilities than the engine gives. */
export function manyLogprobs(wanted: number): ReturnType<Rule> {
  return wanted > 20 ? plain(`requested logprobs of ${wanted}, which is greater than max allowed: 20`) : undefined;
}

/** Chat has other words for it. */
export const streamOptions: Rule = (body) =>
  body["stream_options"] != null && body["stream"] !== true
    ? plain("stream_options are only supported when stream=true.", "stream_options")
    : undefined;

/** A prompt's token that the vocabulary does not have; here the three marks that the tokenizer adds count too. */
export const unknownToken: Rule = (_, { prompts }) => {
  const size = VOCABULARY + 3;
  const ids = prompts.flat().flatMap((piece) => (piece.id >= size ? [piece.id] : []));
  return ids.length > 0
    ? plain(`token_id(s) [${ids.join(", ")}] in prompt are out of vocabulary. Vocabulary size: ${size}`)
    : undefined;
};
