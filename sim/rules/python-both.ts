import { isObject, numberAt } from "../json.ts";
import { bad, late } from "./python-refusals.ts";
import type { Rule } from "./rule.ts";

/* What chat and completions are refused alike. */

export const streamOptions: Rule = (body) =>
  isObject(body["stream_options"]) && body["stream"] !== true
    ? bad("Stream options can only be defined when `stream=True`.", "stream_options")
    : undefined;

export const promptLogprobs: Rule = (body) =>
  body["stream"] === true && (numberAt(body, "prompt_logprobs") ?? 0) > 0
    ? bad("`prompt_logprobs` are not available when `stream=True`.", "prompt_logprobs")
    : undefined;

/** The prompt alone fills the window. */
export const tooLong: Rule = (_, { promptTokens, model: { window } }) => {
  if (promptTokens < window) return undefined;
  const says = `This model's maximum context length is ${window} tokens. However, your prompt contains at least ${window + 1} input tokens, which exceeds this limit even without any output tokens. Please reduce the length of the input prompt.`;
  return bad(says, "input_tokens", window + 1);
};

/** More tokens are asked for than the window has. */
export const tooMany: Rule = (body, { model: { window } }) => {
  const asked = numberAt(body, "max_completion_tokens") ?? numberAt(body, "max_tokens");
  if (asked === undefined || asked <= window) return undefined;
  const name = body["max_completion_tokens"] === undefined ? "max_tokens" : "max_completion_tokens";
  const says = `${name}=${asked} cannot be greater than max_model_len=${window}. Please request fewer output tokens.`;
  return bad(says, name, asked);
};

/** More log-probabilities than the engine gives; it says so when the head is already out. */
export function manyLogprobs(wanted: number): ReturnType<Rule> {
  const says = `Requested sample logprobs of ${wanted}, which is greater than max allowed: 20`;
  return wanted > 20 ? late(bad(says, "logprobs", wanted)) : undefined;
}
