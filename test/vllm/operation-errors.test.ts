/** What a client is told when a request for completions or generate is at fault. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { COMPLETIONS, completion, GENERATE, generation } from "./support/operations.ts";
import { OUR_COMPLETIONS, OUR_GENERATIONS, VLLM_OPERATIONS } from "./support/operation-refusals.ts";
import { errorOf, MODEL_NOT_FOUND } from "./support/refusals.ts";
import { askVllm, countHeard, openStage, type Stage } from "./support/stage.ts";

const { contextLength, dialect, model } = inject("vllm");

const TOO_MANY = Array<number>(contextLength * 2).fill(40);

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

it.each(OUR_COMPLETIONS)("completions are refused without asking the origin: $name", async (refusal) => {
  const before = await countHeard(COMPLETIONS);
  const answer = await stage.ask(completion({ stream: false, ...refusal.request }), COMPLETIONS);
  const { message, param } = refusal;
  expect(errorOf(answer)).toEqual({
    status: 400,
    message,
    type: "invalid_request_error",
    param,
    code: "invalid_request",
  });
  expect(await countHeard(COMPLETIONS)).toBe(before);
});

it.each(OUR_GENERATIONS)("generate is refused without asking the origin: $name", async (refusal) => {
  const before = await countHeard(GENERATE);
  const { request, status = 400, message, param } = refusal;
  const code = status === 404 ? "model_not_found" : "invalid_request";
  expect(errorOf(await stage.ask(request, GENERATE))).toEqual({
    status,
    message,
    type: "invalid_request_error",
    param,
    code,
  });
  expect(await countHeard(GENERATE)).toBe(before);
});

describe.each([true, false])("a request at fault, streamed: %s, gets", (stream) => {
  it.each(VLLM_OPERATIONS)("the refusal of vLLM, in the client's words: $path, $name", async (refusal) => {
    const answer = await stage.ask({ ...refusal.request, stream }, refusal.path);
    const expected = refusal[dialect];
    if (expected === "accepted") {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('"error"');
    } else {
      const error = { type: "invalid_request_error", code: "invalid_request", param: null, ...expected };
      expect(errorOf(answer)).toEqual({ status: 400, ...error });
    }
  });

  it("a 404 for a model that is not there, and no other model's name", async () => {
    const answer = await stage.ask(completion({ stream, model: "nope" }), COMPLETIONS);
    expect(errorOf(answer)).toEqual({ status: 404, ...MODEL_NOT_FOUND });
  });

  it.each([
    { path: COMPLETIONS, param: "prompt", request: completion({ prompt: TOO_MANY }) },
    { path: GENERATE, param: "token_ids", request: generation({}, { token_ids: TOO_MANY }) },
  ])("the numbers of token ids that are too many: $path", async ({ path, param, request }) => {
    const told = overflow(param, `${TOO_MANY.length}`, TOO_MANY.length);
    expect(errorOf(await stage.ask({ ...request, stream }, path))).toEqual(told);
  });

  it("the numbers of a text that is too long", async () => {
    const prompt = "word ".repeat(contextLength * 2);
    const { count } = JSON.parse((await askVllm({ model, prompt }, "/tokenize")).text);
    // Python stops counting where it is clear that the prompt is too long.
    const told =
      dialect === "rust"
        ? overflow("prompt", `${count}`, count)
        : overflow("prompt", `at least ${contextLength + 1}`, contextLength + 1);
    expect(errorOf(await stage.ask(completion({ prompt, stream }), COMPLETIONS))).toEqual(told);
  });
});

function overflow(param: string, counted: string, tokens: number): object {
  const limit = `This model's maximum context length is ${contextLength} tokens.`;
  return {
    status: 400,
    message: `${limit} However, your prompt resulted in ${counted} tokens. Please reduce the length of the prompt.`,
    type: "invalid_request_error",
    param,
    code: "context_length_exceeded",
    n_prompt_tokens: tokens,
    n_ctx: contextLength,
  };
}
