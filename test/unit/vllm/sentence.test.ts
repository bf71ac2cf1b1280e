import { describe, expect, test } from "vitest";
import { clientSentence } from "../../../src/vllm/errors/sentence.ts";

type Row = readonly [message: string, param: string | undefined, sentence: string, clientParam: string | undefined];

const NOT_VALID = "The request is not valid.";

/** A validation message of one complaint; `loc` and `msg` as Python writes them. */
const one = (type: string, loc: string, msg: string) =>
  `1 validation error:\n  {'type': '${type}', 'loc': ${loc}, 'msg': ${msg}, 'input': 'x'}`;

/** serde's message on a body that does not fit. */
const unfit = (text: string) => `Failed to deserialize the JSON body into the target type: ${text} at line 1 column 9`;

function table(rows: readonly Row[]) {
  test.each(rows)("%s (%s)", (message, param, sentence, clientParam) => {
    expect(clientSentence(message, param)).toEqual({ message: sentence, param: clientParam });
  });
}

describe("vLLM's own sentence stays", () => {
  table([
    ["top_p must be in (0, 1], got 1.5.", "top_p", "top_p must be in (0, 1], got 1.5.", "top_p"],
    [
      "top_p must be in (0, 1], got 1.5. (parameter=top_p, value=1.5)",
      undefined,
      "top_p must be in (0, 1], got 1.5.",
      "top_p",
    ],
    ["Too many. (parameter=logprobs)", undefined, "Too many.", "logprobs"],
    ["Too long. (parameter=input_tokens, value=9)", "input_tokens", "Too long.", undefined],
    ["Function `GetWeather` is unknown.", undefined, "Function `GetWeather` is unknown.", undefined],
    ["The OpenAI API has no such thing.", undefined, "The OpenAI API has no such thing.", undefined],
    ["Use /v1/completions instead.", undefined, "Use /v1/completions instead.", undefined],
    ["needs --tool-call-parser to be set", undefined, "needs --tool-call-parser to be set", undefined],
    ["n is too large. Set VLLM_MAX_N to more.", undefined, "n is too large.", "n"],
    ["min_p is wrong.\n  at something", undefined, "min_p is wrong.", "min_p"],
  ]);
});

describe("Python's complaints", () => {
  table([
    [
      one("missing", "'body.messages.0.content'", "'Field required'"),
      undefined,
      '"messages[0].content" is required.',
      "messages[0].content",
    ],
    [
      one("missing", "('body', 'messages', 0, 'role')", "'Field required'"),
      undefined,
      '"messages[0].role" is required.',
      "messages[0].role",
    ],
    [
      `[{'type': 'missing', 'loc': ('body', 'model'), 'msg': 'Field required', 'input': {}}]`,
      undefined,
      '"model" is required.',
      "model",
    ],
    [
      one("string_type", "'body.stop.str'", "'Input should be a valid string'"),
      "body.stop.str",
      '"stop" must be a valid string.',
      "stop",
    ],
    [
      one("dict_type", "'body.logit_bias'", "'Input should be a valid dictionary'"),
      undefined,
      '"logit_bias" must be an object.',
      "logit_bias",
    ],
    [
      one("list_type", "'body.tools'", "'Input should be a valid list'"),
      undefined,
      '"tools" must be an array.',
      "tools",
    ],
    [
      one("extra_forbidden", "'body.foo'", "'Extra inputs are not permitted'"),
      undefined,
      '"foo" is not a known parameter.',
      "foo",
    ],
    [one("value_error", "'body'", `"Value error, it's both"`), undefined, "it's both", undefined],
    [
      one("value_error", "'body'", "'Value error, Too many. (parameter=tools, value=[1])'"),
      "body",
      "Too many.",
      "tools",
    ],
    [one("value_error", "'body.seed'", "'Value error, bad\\nseed'"), undefined, "bad", "seed"],
    [
      one("json_invalid", "('body', 31)", "'JSON decode error'"),
      "body.31",
      "The request body is not valid JSON.",
      undefined,
    ],
    [
      one("is_instance_of", "'body.n'", "'Input should be an instance of FooBar'"),
      undefined,
      'The value of "n" is not valid.',
      "n",
    ],
    [one("odd", "'body.n'", "'Something odd'"), undefined, 'The value of "n" is not valid.', "n"],
    [
      one("missing", "'body.messages.0.ChatCompletionUserMessageParam.content'", "'Field required'"),
      undefined,
      '"messages[0].content" is required.',
      "messages[0].content",
    ],
    ["1 validation error for FooBar\nx\n  Field required [type=missing]", undefined, NOT_VALID, undefined],
    ["1 validation error:\n  {'type': 'missing', 'loc': 'body.mess", undefined, NOT_VALID, undefined],
    ["1 validation error:", "body.n", 'The value of "n" is not valid.', "n"],
  ]);
});

describe("Rust's complaints", () => {
  table([
    [
      unfit("tools[0].function: missing field `name`"),
      undefined,
      '"tools[0].function.name" is required.',
      "tools[0].function.name",
    ],
    [unfit("unknown field `foo`, expected one of `a`, `b`"), undefined, '"foo" is not a known parameter.', "foo"],
    [unfit("stop: invalid type: map, expected a string"), undefined, '"stop" must be a string.', "stop"],
    [unfit("messages: invalid type: map, expected a sequence"), undefined, '"messages" must be an array.', "messages"],
    [
      unfit("tools: invalid type: map, expected struct FooBar"),
      undefined,
      'The value of "tools" is not valid.',
      "tools",
    ],
    [
      unfit("invalid type: integer `1`, expected struct FooBar"),
      undefined,
      "The request body must be a JSON object.",
      undefined,
    ],
    [
      unfit("messages[0].role: unknown variant `x`, expected `a` or `b`"),
      undefined,
      '"messages[0].role" must be one of "a", "b".',
      "messages[0].role",
    ],
    [
      unfit("input: data did not match any variant of untagged enum Foo"),
      undefined,
      'The value of "input" is not valid.',
      "input",
    ],
    [
      'prompt: Validation error: length [{"min": Number(2), "max": Number(9)}]',
      undefined,
      '"prompt" must have a length between 2 and 9.',
      "prompt",
    ],
    ['top_k: Validation error: range [{"max": Number(9)}]', undefined, '"top_k" must be at most 9.', "top_k"],
    ["n: Validation error: range", undefined, "range", "n"],
    ["failed to collect chat completion response: failed to do it: n is wrong", undefined, "n is wrong", "n"],
    ["Failed to parse the request body as JSON: x", undefined, "The request body is not valid JSON.", undefined],
  ]);
});
