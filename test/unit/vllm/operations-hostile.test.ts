/** What must not be lost, or be multiplied, in completions and generate. */
import { expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { checkCompletionRequest } from "../../../src/vllm/completions/request.ts";
import { CompletionChoice } from "../../../src/vllm/completions/choice.ts";
import { GenerateChoice } from "../../../src/vllm/generate/choice.ts";
import { repairWholeGenerate } from "../../../src/vllm/generate/repair.ts";

const choice = (index: number, id: number): object => ({ index, token_ids: [id], finish_reason: "stop" });
const codes = (outputs: readonly (object | GatewayError)[]): unknown[] =>
  outputs.map((output) => (output instanceof GatewayError ? output.code : output));

test("prompts times n is bounded", () => {
  const request = { prompt: Array.from({ length: 2 }, () => "a"), n: 8_193 };
  expect(() => checkCompletionRequest(request)).toThrow('"n" times the number of prompts must not be more than 16384.');
  expect(() => checkCompletionRequest({ ...request, n: 8_192 })).not.toThrow();
});

test("a text that is no text is not taken for none", () => {
  expect(codes(new CompletionChoice(0).push({ index: 0, text: ["lost"] }))).toEqual(["origin_protocol"]);
});

test("ids that are no list are not taken for none", () => {
  expect(codes(new GenerateChoice().push({ index: 0, token_ids: "5,6" }))).toEqual(["origin_protocol"]);
  const whole = { choices: [{ index: 0, token_ids: "5,6", finish_reason: "stop" }] };
  expect(repairWholeGenerate(whole, 1, undefined)).toMatchObject({ code: "origin_protocol" });
});

test("a chunk of generate that holds only what we do not know is passed on", () => {
  const chunk = { index: 0, routed_experts: [1] };
  expect(new GenerateChoice().push(chunk)).toEqual([chunk]);
});

test("a whole generate answer has each choice once, and none that nobody asked for", () => {
  const answer = { request_id: "r", choices: [choice(0, 1), choice(0, 2), choice(1, 3)] };
  expect(repairWholeGenerate(answer, 1, undefined)).toEqual({ request_id: "r", choices: [choice(0, 1)] });
});
