/** The rules of a generate request, in the order in which they are told, and what passes. */
import { describe, expect, test } from "vitest";
import { readGeneration, refusalOf } from "../../../support/operations.ts";

const RIGHT = { token_ids: [1, 2], sampling_params: {} };
const refusal = (fields: object, models?: readonly string[]) =>
  refusalOf(() => readGeneration(JSON.stringify({ ...RIGHT, ...fields }), models));
const sampling = (params: object, more: object = {}) => ({ sampling_params: params, ...more });

const STREAM_OPTIONS = '"stream_options" goes only with "stream": true.';
const NO_IDS = '"token_ids" must be a list with at least one token id.';
const BAD_ID = '"token_ids" must hold whole numbers that are not negative.';
const PARAMS = '"sampling_params" is required and must be an object.';
const LIMIT = '"max_tokens" must be a whole number greater than 0.';
const LOGPROBS = '"prompt_logprobs" must be a whole number that is not negative, or -1.';
const STREAMED = '"prompt_logprobs" cannot be had with "stream": true.';
const COUNT = '"n" must be a whole number of 1 or more.';

describe("refused, with 400 and the parameter's name", () => {
  const rows: [object, string, string][] = [
    [{ stream: "yes" }, "stream", '"stream" must be true or false.'],
    [{ stream_options: {} }, "stream_options", STREAM_OPTIONS],
    [{ stream_options: { include_usage: true } }, "stream_options", STREAM_OPTIONS],
    [{ stream_options: { include_usage: true }, stream: false }, "stream_options", STREAM_OPTIONS],
    [{ stream_options: {}, stream: null }, "stream_options", STREAM_OPTIONS],
    [{ stream_options: true, stream: true }, "stream_options", '"stream_options" must be an object.'],
    [
      { stream_options: { include_usage: 1 }, stream: true },
      "stream_options",
      '"stream_options.include_usage" must be true or false.',
    ],
    [{ token_ids: undefined }, "token_ids", NO_IDS],
    [{ token_ids: null }, "token_ids", NO_IDS],
    [{ token_ids: [] }, "token_ids", NO_IDS],
    [{ token_ids: "1,2" }, "token_ids", NO_IDS],
    [{ token_ids: [-1] }, "token_ids", BAD_ID],
    [{ token_ids: [1, 1.5] }, "token_ids", BAD_ID],
    [{ token_ids: [1, "2"] }, "token_ids", BAD_ID],
    [{ token_ids: [[1]] }, "token_ids", BAD_ID],
    [sampling({}, { sampling_params: undefined }), "sampling_params", PARAMS],
    [{ sampling_params: null }, "sampling_params", PARAMS],
    [{ sampling_params: [] }, "sampling_params", PARAMS],
    [sampling({ max_tokens: 0 }), "sampling_params", LIMIT],
    [sampling({ max_tokens: -1 }), "sampling_params", LIMIT],
    [sampling({ max_tokens: "5" }), "sampling_params", LIMIT],
    [sampling({ prompt_logprobs: -2 }), "sampling_params", LOGPROBS],
    [sampling({ prompt_logprobs: 0.5 }), "sampling_params", LOGPROBS],
    [sampling({ prompt_logprobs: 0 }, { stream: true }), "sampling_params", STREAMED],
    [sampling({ prompt_logprobs: -1 }, { stream: true }), "sampling_params", STREAMED],
    [sampling({ n: 0 }), "sampling_params", COUNT],
    [sampling({ n: 1.5 }), "sampling_params", COUNT],
  ];
  test.each(rows)("%j", (fields, param, message) => {
    expect(refusal(fields)).toBe(`invalid_request 400 ${param} ${message}`);
  });
});

test("of several mistakes the first in the order of the rules is told", () => {
  const all = {
    model: "none",
    stream_options: {},
    token_ids: [] as number[],
    sampling_params: { max_tokens: 0, prompt_logprobs: -2, n: 0 } as object | null,
  };
  const told: string[] = [];
  const tell = (changes: Partial<Record<keyof typeof all, unknown>>): void => {
    Object.assign(all, changes);
    told.push(refusal(all, ["tiny"]));
  };
  tell({});
  tell({ model: "tiny" });
  tell({ stream_options: null });
  tell({ token_ids: [-1], sampling_params: null });
  tell({ token_ids: [1] });
  tell({ sampling_params: { max_tokens: 0, prompt_logprobs: -2, n: 0 } });
  tell({ sampling_params: { max_tokens: 1, prompt_logprobs: -2, n: 0 } });
  tell({ sampling_params: { prompt_logprobs: -1, n: 0 } });
  tell({ sampling_params: { n: 1 } });
  expect(told).toEqual([
    "model_not_found 404 model The model `none` does not exist.",
    `invalid_request 400 stream_options ${STREAM_OPTIONS}`,
    `invalid_request 400 token_ids ${NO_IDS}`,
    `invalid_request 400 token_ids ${BAD_ID}`,
    `invalid_request 400 sampling_params ${PARAMS}`,
    `invalid_request 400 sampling_params ${LIMIT}`,
    `invalid_request 400 sampling_params ${LOGPROBS}`,
    `invalid_request 400 sampling_params ${COUNT}`,
    "passes",
  ]);
});

describe("the model", () => {
  const UNKNOWN = "model_not_found 404 model The model `other` does not exist.";
  const EMPTY = "model_not_found 404 model The model's name must not be empty.";
  test.each<[string, object, readonly string[] | undefined, string]>([
    ["that is served", { model: "tiny" }, ["tiny", "mine"], "passes"],
    ["that is an alias of one", { model: "mine" }, ["tiny", "mine"], "passes"],
    ["that is not served", { model: "other" }, ["tiny"], UNKNOWN],
    ["where none is served", { model: "other" }, [], UNKNOWN],
    ["without a list to look it up", { model: "other" }, undefined, "passes"],
    ["that is empty", { model: "" }, ["tiny"], EMPTY],
    ["that is empty, without a list", { model: "" }, undefined, EMPTY],
    ["that is absent", {}, ["tiny"], "passes"],
    ["that is null", { model: null }, ["tiny"], "passes"],
    ["that is no text", { model: 5 }, ["tiny"], 'invalid_request 400 model "model" must be a string.'],
  ])("%s", (_, fields, models, told) => {
    expect(refusal(fields, models)).toBe(told);
  });
});

describe("passes as it is", () => {
  test.each([
    {},
    { stream_options: null },
    { stream: false, stream_options: null },
    { token_ids: [0] },
    sampling({ max_tokens: 1, prompt_logprobs: 0, n: 1 }),
    sampling({ prompt_logprobs: -1, n: 3 }),
    sampling({ max_tokens: null, prompt_logprobs: null, n: null, temperature: 7, wibble: [] }),
    {
      request_id: "r",
      cache_salt: "s",
      priority: 5,
      kv_transfer_params: {},
      features: {},
      output_mode: "tokens",
      x: 1,
    },
  ])("%j", (fields) => {
    const request = { ...RIGHT, ...fields };
    expect(JSON.parse(readGeneration(JSON.stringify(request)).forward(undefined))).toEqual(request);
  });

  test.each<[object | null | undefined, unknown]>([
    [undefined, { include_usage: true }],
    [null, { include_usage: true }],
    [{}, { include_usage: true }],
    [
      { include_usage: false, x: 1 },
      { include_usage: true, x: 1 },
    ],
    [{ continuous_usage_stats: true }, { include_usage: true }],
    [
      { include_usage: true, continuous_usage_stats: true },
      { include_usage: true, continuous_usage_stats: true },
    ],
  ])("with a stream, but for the usage that is asked for: %j", (options, asked) => {
    const request = { ...RIGHT, stream: true, stream_options: options };
    const forwarded = readGeneration(JSON.stringify(request)).forward(undefined);
    expect(JSON.parse(forwarded)).toEqual({ ...request, stream_options: asked });
  });
});

test("the model gets the origin's name, and none is put where none is named", () => {
  const body = '{"model":"mine","token_ids":[1,2.0],"sampling_params":{"seed":9223372036854775807}}';
  expect(readGeneration(body).forward("theirs")).toBe(body.replace("mine", "theirs"));
  const unnamed = '{"model":null,"token_ids":[1],"sampling_params":{}}';
  expect(readGeneration(unnamed).model).toBeUndefined();
  expect(readGeneration(unnamed).forward(undefined)).toBe(unnamed);
  expect(readGeneration(unnamed).promptParam).toBe("token_ids");
});
