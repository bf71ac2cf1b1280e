/** The count of a prompt's tokens, read out of the tokenizer's answer. */
import { describe, expect, test } from "vitest";
import { readCount } from "../../../../src/protocols/messages/count.ts";
import { readJson } from "../../../../src/protocols/read-json.ts";
import { wholeCall } from "../../../support/replay.ts";
import { refusalOf } from "../../../support/operations.ts";

const ASKS = { model: "mine", messages: [{ role: "user", content: "Say it." }] };
const NO_COUNT = "origin_protocol 502 - The origin's answer holds no count of tokens.";

function call(request: object = ASKS): ReturnType<typeof wholeCall> {
  return wholeCall(readCount(readJson(JSON.stringify(request))));
}

test("the origin is asked to tokenize the chat that the request would be", () => {
  const tools = [{ name: "f", input_schema: { type: "object" } }];
  const request = { ...ASKS, system: "Be short.", tools, tool_choice: { type: "auto" } };
  expect(JSON.parse(call(request).forward("theirs"))).toEqual({
    model: "theirs",
    messages: [
      { role: "system", content: "Be short." },
      { role: "user", content: "Say it." },
    ],
    tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }],
  });
  expect(call().forward(undefined)).toBe('{"model":"mine","messages":[{"role":"user","content":"Say it."}]}');
  expect(call()).toMatchObject({ model: "mine", promptParam: "messages" });
});

test("its count is the answer, and nothing else of it", () => {
  const body = '{"count":20,"max_model_len":2048,"tokens":[1,2,3],"token_strs":null}';
  expect(call().whole(body)).toEqual({ json: '{"input_tokens":20}', tokens: undefined });
  expect(call().whole('{"count":0}').json).toBe('{"input_tokens":0}');
});

test("an error in its place knows the model by the client's name alone", () => {
  const body = '{"error":{"message":"The model `theirs` does not exist.","type":"NotFoundError","code":404}}';
  expect(refusalOf(() => call().whole(body, "theirs"))).toBe(
    "model_not_found 404 model The model `mine` does not exist.",
  );
});

describe("an answer without a count", () => {
  test.each([
    "",
    "20",
    "[]",
    "{",
    "{}",
    '{"count":"20"}',
    '{"count":-1}',
    '{"count":1.5}',
    '{"count":null}',
    '{"count":1e300}',
  ])("%s is not of the protocol", (body) => {
    expect(refusalOf(() => call().whole(body))).toBe(NO_COUNT);
  });

  test("but with an error is that error", () => {
    const body = '{"error":{"message":"the engine died","type":"InternalServerError","param":null,"code":500}}';
    expect(refusalOf(() => call().whole(body))).toMatch(/^origin_error 500 - /);
  });
});

test.each([
  [{ model: "mine" }, 'invalid_request 400 messages "messages" is required.'],
  [{ messages: ASKS.messages }, 'invalid_request 400 model "model" is required.'],
])("%j is refused", (request, refusal) => {
  expect(refusalOf(() => call(request))).toBe(refusal);
});
