/** Every form in which an origin reports an error ends the stream in one of ours, and shows nothing of the origin's words. */
import { expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { readRequest } from "../../support/chat-replay.ts";

const REQUEST = '{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}';
const WORD =
  '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"a"}}]}';

test.for([
  [
    "flat, as older vLLMs do",
    undefined,
    '{"object":"error","message":"Dead at /opt/vllm/engine.py","type":"InternalServerError","code":500}',
  ],
  ["flat, without its object", undefined, '{"message":"Dead at 10.0.0.5:8000","code":500}'],
  ["as a detail", undefined, '{"detail":"Dead at /opt/vllm"}'],
  ["under its own event name", "error", '{"message":"Dead at /opt/vllm"}'],
  ["as a bare text under its own event name", "error", "Dead at /opt/vllm"],
  ["as a text", undefined, '{"error":"Dead at /opt/vllm"}'],
])("%s", ([, event, data = ""]) => {
  const call = readRequest(REQUEST);
  if (!("answer" in call)) throw new Error("not a stream");
  const answer = call.answer();
  answer.push({ data: WORD, bytes: undefined, unterminated: false });
  const outputs = answer.push({ data, bytes: undefined, unterminated: false, ...(event && { event }) });
  expect(outputs).toHaveLength(1);
  const [error] = outputs;
  expect(error).toBeInstanceOf(GatewayError);
  expect(error).toMatchObject({ code: "origin_error" });
  expect(JSON.stringify(error)).not.toMatch(/Dead|vllm|10\.0/);
});

test("a chunk with fields that only look like an error's is a chunk", () => {
  const call = readRequest(REQUEST);
  if (!("answer" in call)) throw new Error("not a stream");
  const chunk = WORD.replace("{", '{"message":"fine","code":1,"detail":"d",');
  const outputs = call.answer().push({ data: chunk, bytes: undefined, unterminated: false });
  expect(outputs.some((output) => output instanceof GatewayError)).toBe(false);
});

test("a chunk that is nested too deep to be written again is none of the protocol's", () => {
  const call = readRequest(REQUEST);
  if (!("answer" in call)) throw new Error("not a stream");
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const data = `{"choices":[{"index":0,"delta":{"content":"a"}}],"deep":${deep}}`;
  expect(call.answer().push({ data, bytes: undefined, unterminated: false })).toMatchObject([
    { code: "origin_protocol" },
  ]);
});
