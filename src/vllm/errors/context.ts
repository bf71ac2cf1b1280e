/** Prompts that do not fit into the model's context, in every wording of vLLM's, told in OpenAI's. */
import { GatewayError } from "../../core/errors.ts";
import type { ContextOverflow } from "../../core/errors.ts";
import { leadingParam } from "./params.ts";
import type { Reading } from "./reading.ts";

const OVERFLOW = /context length|max_model_len|maximum model length/i;

/** Parameters under which an overflow of the prompt is reported; with any other it is that parameter's own fault. */
const PROMPT_PARAMS = new Set(["input_tokens", "input_text", "input", "messages", "prompt", "token_ids"]);

const MAX_TOKENS: readonly RegExp[] = [
  /context length(?: is| of)?(?: only)? \(?([\d,]{1,20})/i,
  /max_model_len(?: of|=)? ?([\d,]{1,20})/,
  /maximum model length of ([\d,]{1,20})/i,
];

const PROMPT_TOKENS: readonly RegExp[] = [
  /([\d,]{1,20}) in the (?:messages|prompt)/,
  /([\d,]{1,20}) input tokens/,
  /\b(?:input length|prompt) \((?:length )?([\d,]{1,20})/i,
  /prompt length (?:of |is )?([\d,]{1,20})/i,
  /(?:resulted in|requested) ([\d,]{1,20}) tokens/,
];

const COMPLETION_TOKENS: readonly RegExp[] = [
  /([\d,]{1,20}) in the completion/,
  /requested ([\d,]{1,20}) output tokens/,
];

/** Older servers count characters first; the tokens that they name then are only the limit's. */
const CHARACTERS = /[\d,]{1,20} (?:input )?characters/;

/** vLLM may stop counting at one token above the largest prompt that it could take. */
const LARGEST_INPUT: readonly RegExp[] = [/maximum input length of ([\d,]{1,20})/];

/**
 * Returns `context_length_exceeded` when the message says that the prompt does not fit, else `undefined`.
 * `promptParam` is the client's own parameter for the prompt, `cause` the log's evidence.
 */
export function readContextOverflow(
  message: string,
  param: string | undefined,
  promptParam: string,
  cause: string,
): GatewayError | undefined {
  const told = param ?? leadingParam(message);
  if (told !== undefined && !PROMPT_PARAMS.has(told)) return undefined;
  if (told !== "input_tokens" && told !== "input_text" && !OVERFLOW.test(message)) return undefined;
  if (readOutputLimit(message) !== undefined) return undefined;
  const context = readNumbers(message);
  const sentence = overflowSentence(context, promptParam);
  return new GatewayError("context_length_exceeded", sentence, { param: promptParam, context, cause });
}

function readNumbers(message: string): ContextOverflow {
  const promptTokens = CHARACTERS.test(message) ? undefined : firstNumber(message, PROMPT_TOKENS);
  const largest = firstNumber(message, LARGEST_INPUT);
  const stopped = largest !== undefined && promptTokens === largest + 1;
  const atLeast = stopped || /at least [\d,]{1,20} input tokens/.test(message);
  const completionTokens = firstNumber(message, COMPLETION_TOKENS);
  return { promptTokens, completionTokens, maxTokens: firstNumber(message, MAX_TOKENS), atLeast };
}

function overflowSentence(context: ContextOverflow, promptParam: string): string {
  const { promptTokens, completionTokens = 0, maxTokens, atLeast } = context;
  const prompt = promptParam === "messages" ? "messages" : "prompt";
  const shorten = `Please reduce the length of the ${prompt}`;
  const limit = `This model's maximum context length is ${maxTokens === undefined ? "exceeded" : `${maxTokens} tokens`}.`;
  if (promptTokens === undefined || maxTokens === undefined) {
    return `${limit} ${shorten}${completionTokens > 0 ? " or completion" : ""}.`;
  }
  const bound = atLeast ? "at least " : "";
  if (promptTokens > maxTokens || completionTokens === 0) {
    return `${limit} However, your ${prompt} resulted in ${bound}${promptTokens} tokens. ${shorten}.`;
  }
  // The prompt alone would fit: the answer that was asked for does not beside it.
  const parts = `${bound}${promptTokens} in the ${prompt}, ${completionTokens} in the completion`;
  const total = `${bound}${promptTokens + completionTokens} tokens`;
  return `${limit} However, you requested ${total} (${parts}). ${shorten} or completion.`;
}

/** Returns the sentence for an answer's limit that is too large; that is not the prompt's fault. */
export function readOutputLimit(message: string): Reading | undefined {
  const over = /^(max_(?:completion_)?tokens)=(\d{1,20}) cannot be greater than max_model_len=(\d{1,20})/.exec(message);
  if (over) {
    const [, param, asked, limit] = over;
    return {
      message: `${param} is too large: ${asked}. This model's maximum context length is ${limit} tokens.`,
      param,
    };
  }
  const beside = /^'max_tokens' or 'max_completion_tokens' (is too large: .*? input tokens)/.exec(message)?.[1];
  return beside === undefined ? undefined : { message: `max_tokens ${beside}.`, param: "max_tokens" };
}

function firstNumber(message: string, wordings: readonly RegExp[]): number | undefined {
  for (const wording of wordings) {
    const digits = wording.exec(message)?.[1]?.replaceAll(",", "");
    if (digits) return Number(digits);
  }
  return undefined;
}
