import { describe, expect, test } from "vitest";
import { readErrorChunk, readErrorResponse } from "../../../src/vllm/errors.ts";

const limit = (tokens: number) => `This model's maximum context length is ${tokens} tokens.`;

interface Wording {
  readonly message: string;
  readonly param?: string;
  readonly context: {
    promptTokens: number | undefined;
    completionTokens?: number;
    maxTokens: number | undefined;
    atLeast: boolean;
  };
  readonly sentence: string;
}

const WORDINGS: readonly Wording[] = [
  {
    message:
      "This model's maximum context length is 2048 tokens. However, your prompt contains at least 2049 input tokens, which exceeds this limit even without any output tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=2049)",
    param: "input_tokens",
    context: { promptTokens: 2049, maxTokens: 2048, atLeast: true },
    sentence: `${limit(2048)} However, your messages resulted in at least 2049 tokens. Please reduce the length of the messages.`,
  },
  {
    message:
      "This model's maximum context length is 32768 tokens. However, you requested 32000 output tokens and your prompt contains at least 769 input tokens, for a total of at least 32769 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=769)",
    param: "input_tokens",
    context: { promptTokens: 769, completionTokens: 32000, maxTokens: 32768, atLeast: true },
    sentence: `${limit(32768)} However, you requested at least 32769 tokens (at least 769 in the messages, 32000 in the completion). Please reduce the length of the messages or completion.`,
  },
  {
    message:
      "This model's maximum context length is 2048 tokens. However, you requested 100 output tokens and your prompt contains 900000 characters (more than 31168 characters, which is the upper bound for 1948 input tokens). Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_text, value=900000)",
    param: "input_text",
    context: { promptTokens: undefined, completionTokens: 100, maxTokens: 2048, atLeast: false },
    sentence: `${limit(2048)} Please reduce the length of the messages or completion.`,
  },
  {
    message:
      "You passed 8193 input tokens and requested 0 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 8192 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=8193)",
    param: "input_tokens",
    context: { promptTokens: 8193, completionTokens: 0, maxTokens: 8192, atLeast: true },
    sentence: `${limit(8192)} However, your messages resulted in at least 8193 tokens. Please reduce the length of the messages.`,
  },
  {
    message:
      "You passed 3073 input tokens and requested 128000 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 3072 tokens.",
    context: { promptTokens: 3073, completionTokens: 128000, maxTokens: 131072, atLeast: true },
    sentence: `${limit(131072)} However, you requested at least 131073 tokens (at least 3073 in the messages, 128000 in the completion). Please reduce the length of the messages or completion.`,
  },
  {
    message:
      "You passed 90000 input characters and requested 0 output tokens. However, the model's context length is only 2048 tokens, resulting in a maximum input length of 2048 tokens (at most 32768 characters).",
    param: "input_text",
    context: { promptTokens: undefined, completionTokens: 0, maxTokens: 2048, atLeast: false },
    sentence: `${limit(2048)} Please reduce the length of the messages.`,
  },
  {
    message: "Input length (66001) exceeds model's maximum context length (65536).",
    context: { promptTokens: 66001, maxTokens: 65536, atLeast: false },
    sentence: `${limit(65536)} However, your messages resulted in 66001 tokens. Please reduce the length of the messages.`,
  },
  {
    message: "Input length (66,275) exceeds model's maximum context length (65,536)",
    context: { promptTokens: 66275, maxTokens: 65536, atLeast: false },
    sentence: `${limit(65536)} However, your messages resulted in 66275 tokens. Please reduce the length of the messages.`,
  },
  {
    message: "The engine prompt length 3001 exceeds the max_model_len 2048. Please reduce prompt.",
    param: "input",
    context: { promptTokens: 3001, maxTokens: 2048, atLeast: false },
    sentence: `${limit(2048)} However, your messages resulted in 3001 tokens. Please reduce the length of the messages.`,
  },
  {
    message:
      "The decoder prompt (length 5000) is longer than the maximum model length of 2048. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    context: { promptTokens: 5000, maxTokens: 2048, atLeast: false },
    sentence: `${limit(2048)} However, your messages resulted in 5000 tokens. Please reduce the length of the messages.`,
  },
  {
    message:
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion). Please reduce the length of the messages or completion.",
    context: { promptTokens: 4500, completionTokens: 500, maxTokens: 4096, atLeast: false },
    sentence: `${limit(4096)} However, your messages resulted in 4500 tokens. Please reduce the length of the messages.`,
  },
  {
    message:
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (1000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
    context: { promptTokens: 1000, completionTokens: 4000, maxTokens: 4096, atLeast: false },
    sentence: `${limit(4096)} However, you requested 5000 tokens (1000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.`,
  },
  {
    message:
      "This model's maximum context length is 1536 tokens. However, your request has 4176 input tokens. Please reduce the length of the input messages.",
    context: { promptTokens: 4176, maxTokens: 1536, atLeast: false },
    sentence: `${limit(1536)} However, your messages resulted in 4176 tokens. Please reduce the length of the messages.`,
  },
  {
    message: "this model's maximum context length is 2048 tokens, but the prompt contains 3010 input tokens",
    context: { promptTokens: 3010, maxTokens: 2048, atLeast: false },
    sentence: `${limit(2048)} However, your messages resulted in 3010 tokens. Please reduce the length of the messages.`,
  },
  {
    message: "The prompt exceeds the context length.",
    context: { promptTokens: undefined, maxTokens: undefined, atLeast: false },
    sentence: "This model's maximum context length is exceeded. Please reduce the length of the messages.",
  },
];

describe("a prompt that does not fit", () => {
  test.each(WORDINGS)("$message", ({ message, param, context, sentence }) => {
    const said = { message, type: "BadRequestError", param: param ?? null, code: 400 };
    for (const error of [
      readErrorChunk(said),
      readErrorResponse({ status: 400, body: JSON.stringify({ error: said }) }),
    ]) {
      expect([error.code, error.status, error.param]).toEqual(["context_length_exceeded", 400, "messages"]);
      expect(error.message).toBe(sentence);
      expect(error.context).toEqual(context);
    }
  });

  test("is told under the protocol's own parameter", () => {
    const said = { message: "this model's maximum context length is 8 tokens, but the prompt contains 9 input tokens" };
    for (const param of ["prompt", "token_ids", "input"]) {
      const error = readErrorChunk({ ...said, code: 400 }, param);
      expect(error.param).toBe(param);
      expect(error.message).toBe(
        `${limit(8)} However, your prompt resulted in 9 tokens. Please reduce the length of the prompt.`,
      );
    }
  });
});

describe("an answer's limit that does not fit is not the prompt's fault", () => {
  test.each([
    [
      "max_tokens=100000 cannot be greater than max_model_len=2048. Please request fewer output tokens. (parameter=max_tokens, value=100000)",
      "max_tokens",
      `max_tokens is too large: 100000. ${limit(2048)}`,
    ],
    [
      "max_completion_tokens=9 cannot be greater than max_model_len=8. Please request fewer output tokens.",
      "max_completion_tokens",
      `max_completion_tokens is too large: 9. ${limit(8)}`,
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 4096 tokens and your request has 2778 input tokens (8000 > 4096 - 2778). None",
      "max_tokens",
      "max_tokens is too large: 8000. This model's maximum context length is 4096 tokens and your request has 2778 input tokens.",
    ],
    [
      "truncate_prompt_tokens value is greater than max_model_len. Please request a smaller truncation size.",
      "truncate_prompt_tokens",
      'The value of "truncate_prompt_tokens" is not valid.',
    ],
  ])("%s", (message, param, sentence) => {
    for (const said of [
      { message, param, code: 400 },
      { message, param: null, code: 400 },
    ]) {
      const error = readErrorChunk(said);
      expect([error.code, error.status, error.param]).toEqual(["invalid_request", 400, param]);
      expect(error.message).toBe(sentence);
      expect(error.context).toBeUndefined();
    }
  });
});
