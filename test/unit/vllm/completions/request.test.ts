/** The rules of a completions request: what is refused, under which parameter and with which words, and what passes. */
import { describe, expect, test } from "vitest";
import { readCompletions, refusalOf } from "../../../support/operations.ts";

const refusal = (request: object) => refusalOf(() => readCompletions(JSON.stringify({ prompt: "hi", ...request })));

const FORM = "must be a string, a list of strings, a list of token ids, or a list of such lists.";

describe("refused, with 400 and the parameter's name", () => {
  const rows: [object, string, string][] = [
    [{ n: 0 }, "n", "must be a whole number from 1 to 16384."],
    [{ n: 16_385 }, "n", "must be a whole number from 1 to 16384."],
    [{ n: "2" }, "n", "must be a whole number from 1 to 16384."],
    [{ max_tokens: -1 }, "max_tokens", "must be a whole number, 0 or more."],
    [{ max_tokens: 1.5 }, "max_tokens", "must be a whole number, 0 or more."],
    [{ max_tokens: 0 }, "max_tokens", 'may be 0 only with "echo": true.'],
    [{ max_tokens: 0, echo: false }, "max_tokens", 'may be 0 only with "echo": true.'],
    [{ min_tokens: -1 }, "min_tokens", "must be a whole number, 0 or more."],
    [{ max_tokens: 3, min_tokens: 4 }, "min_tokens", "must not be greater than the limit of tokens."],
    [{ temperature: -0.01 }, "temperature", "must be a number from 0 to 2."],
    [{ temperature: 2.01 }, "temperature", "must be a number from 0 to 2."],
    [{ top_p: 0 }, "top_p", "must be a number greater than 0 and at most 1."],
    [{ top_p: 1.01 }, "top_p", "must be a number greater than 0 and at most 1."],
    [{ top_k: -2 }, "top_k", "must be a whole number, -1 or more."],
    [{ min_p: -0.01 }, "min_p", "must be a number from 0 to 1."],
    [{ min_p: 1.01 }, "min_p", "must be a number from 0 to 1."],
    [{ presence_penalty: 2.01 }, "presence_penalty", "must be a number from -2 to 2."],
    [{ frequency_penalty: -2.01 }, "frequency_penalty", "must be a number from -2 to 2."],
    [{ repetition_penalty: 0 }, "repetition_penalty", "must be a number greater than 0."],
    [{ seed: 1e21 }, "seed", "must be a whole number of 64 bits."],
    [{ stop: "" }, "stop", "must not be empty."],
    [{ stop: ["a", ""] }, "stop[1]", "must not be empty."],
    [{ stop: 5 }, "stop", "must be a string or a list of strings."],
    [{ logprobs: -2 }, "logprobs", "must be a whole number, -1 or more."],
    [{ logprobs: true }, "logprobs", "must be a whole number, -1 or more."],
    [{ logprobs: 1.5 }, "logprobs", "must be a whole number, -1 or more."],
    [{ prompt_logprobs: -2 }, "prompt_logprobs", "must be a whole number, -1 or more."],
    [{ prompt_logprobs: "1" }, "prompt_logprobs", "must be a whole number, -1 or more."],
    [{ prompt_logprobs: 1, stream: true }, "prompt_logprobs", 'cannot be had with "stream": true.'],
    [{ prompt_logprobs: -1, stream: true }, "prompt_logprobs", 'cannot be had with "stream": true.'],
    [{ stream: "yes" }, "stream", "must be true or false."],
    [{ stream_options: {} }, "stream_options", 'goes only with "stream": true.'],
    [{ stream_options: { include_usage: true }, stream: false }, "stream_options", 'goes only with "stream": true.'],
    [{ stream_options: [], stream: true }, "stream_options", "must be an object."],
    [
      { stream_options: { continuous_usage_stats: 1 }, stream: true },
      "stream_options.continuous_usage_stats",
      "must be true or false.",
    ],
    [{ echo: 1 }, "echo", "must be true or false."],
    [{ suffix: 1 }, "suffix", "must be a string."],
    [{ model: 5 }, "model", "must be a string."],
    [{ prompt: "" }, "prompt", "must not be empty."],
    [{ prompt: [] }, "prompt", "must not be empty."],
    [{ prompt: null }, "prompt", "is required."],
    [{ prompt: null, prompt_embeds: null }, "prompt", "is required."],
    [{ prompt: null, prompt_embeds: [] }, "prompt", "is required."],
    [{ prompt: "", prompt_embeds: "" }, "prompt", "must not be empty."],
    [{ prompt: 5 }, "prompt", FORM],
    [{ prompt: { text: "hi" } }, "prompt", FORM],
    [{ prompt: [-1] }, "prompt", FORM],
    [{ prompt: [1.5] }, "prompt", FORM],
    [{ prompt: ["hi", 1] }, "prompt", FORM],
    [{ prompt: ["hi", [1]] }, "prompt", FORM],
    [{ prompt: [[1], []] }, "prompt", FORM],
    [{ prompt: [[1], [-1]] }, "prompt", FORM],
    [{ prompt: [null] }, "prompt", FORM],
  ];
  test.each(rows)("%j", (fields, param, rule) => {
    expect(refusal(fields)).toBe(`invalid_request 400 ${param} "${param}" ${rule}`);
  });

  test("a prompt that is not there", () => {
    expect(refusalOf(() => readCompletions('{"model":"m"}'))).toBe('invalid_request 400 prompt "prompt" is required.');
  });

  test("a body that is no JSON object", () => {
    expect(refusalOf(() => readCompletions("{"))).toBe("invalid_request 400 - The request body is not valid JSON.");
    expect(refusalOf(() => readCompletions("[1]"))).toBe(
      "invalid_request 400 - The request body must be a JSON object.",
    );
  });
});

describe("passes as it is", () => {
  test.each([
    { n: 1 },
    { n: 16_384 },
    { max_tokens: 0, echo: true },
    { max_tokens: 1, min_tokens: 1 },
    { max_tokens: null, min_tokens: 0 },
    { temperature: 0, top_p: 1, top_k: -1, min_p: 0 },
    { temperature: 2, top_p: 0.001, top_k: 0, min_p: 1 },
    { presence_penalty: -2, frequency_penalty: 2, repetition_penalty: 0.01 },
    { seed: -(2 ** 63) },
    { stop: [] },
    { stop: ["a", "b", "c", "d", "e"] },
    { logprobs: 0 },
    { logprobs: -1 },
    { logprobs: 100 },
    { prompt_logprobs: -1 },
    { stream: false, stream_options: null },
    { echo: true, suffix: "x", best_of: 2, user: "u" },
    { model: "" },
    { prompt: ["a", ""] },
    { prompt: [0, 999_999] },
    { prompt: [[1], [2, 3]] },
    { prompt: null, prompt_embeds: "AAAA" },
    { prompt: "", prompt_embeds: ["AAAA", "BBBB"] },
    { vllm_xargs: { a: 1 }, structured_outputs: { regex: "a" }, response_format: { type: "json_object" }, wibble: 1 },
    { n: null, temperature: null, seed: null, stop: null, logprobs: null, echo: null, suffix: null, stream: null },
  ])("%j", (fields) => {
    const request = { prompt: "hi", ...fields };
    expect(JSON.parse(readCompletions(JSON.stringify(request)).forward(undefined))).toEqual(request);
  });
});

test("a stream's request is changed in its usage alone, digit for digit", () => {
  const body = '{ "prompt" : "\\u0068i", "stream":true, "seed": 9223372036854775807, "prompt_logprobs": 0 }';
  expect(readCompletions(body).forward(undefined)).toBe(
    body.replace(": 0 }", ': 0,"stream_options":{"include_usage":true} }'),
  );
});

test("the model gets the origin's name", () => {
  const call = readCompletions('{"model":"mine","prompt":"hi","x":1.50}');
  expect([call.model, call.promptParam]).toEqual(["mine", "prompt"]);
  expect(call.forward("theirs")).toBe('{"model":"theirs","prompt":"hi","x":1.50}');
});
