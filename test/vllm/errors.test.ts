/** What a client is told when a request is at fault or the engine fails, before the stream and in it. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { chatBreaches } from "../support/chat-grammar.ts";
import { CALL_TIME, CALL_WEATHER, chat, NO_THINKING, say, TOOLS } from "./support/requests.ts";
import { saidIn } from "./support/said.ts";
import { countTokens, openStage, type Stage } from "./support/stage.ts";
import { errorOf, FAILED, INSIDES, MODEL_NOT_FOUND, OURS, VLLMS } from "./support/refusals.ts";

const { dialect, contextLength } = inject("vllm");

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(["streamed", "whole"])("a request at fault, had it been %s, gets", (kind) => {
  const stream = kind === "streamed";

  it.each(OURS)("our refusal: $name", async ({ request, message, param }) => {
    const error = { message, type: "invalid_request_error", param, code: "invalid_request" };
    expect(errorOf(await stage.ask(chat({ stream, ...request })))).toEqual({ status: 400, ...error });
  });

  it.each(VLLMS)("the refusal of vLLM, in the client's words: $name", async (refusal) => {
    const answer = await stage.ask(chat({ stream, ...refusal.request }));
    const expected = refusal[dialect];
    if (expected === "accepted") {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('"error"');
    } else if (expected === "failed") expect(errorOf(answer)).toEqual({ status: 500, ...FAILED });
    else {
      const error = { type: "invalid_request_error", code: "invalid_request", param: null, ...expected };
      expect(errorOf(answer)).toEqual({ status: 400, ...error });
    }
  });

  it("a 404 for a model that is not there, and no other model's name", async () => {
    expect(errorOf(await stage.ask(chat({ stream, model: "nope" })))).toEqual({ status: 404, ...MODEL_NOT_FOUND });
  });

  it("the numbers of a prompt that is too long", async () => {
    const messages = [{ role: "user", content: "word ".repeat(contextLength * 2) }];
    // Python stops counting where it is clear that the prompt is too long.
    const tokens = dialect === "rust" ? await countTokens(messages) : contextLength + 1;
    const counted = dialect === "rust" ? `${tokens}` : `at least ${tokens}`;
    const limit = `This model's maximum context length is ${contextLength} tokens.`;
    expect(errorOf(await stage.ask(chat({ stream, messages })))).toEqual({
      status: 400,
      message: `${limit} However, your messages resulted in ${counted} tokens. Please reduce the length of the messages.`,
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
      n_prompt_tokens: tokens,
      n_ctx: contextLength,
    });
  });
});

describe(`an engine behind the ${dialect} front end that gives up a request`, () => {
  // The line's end breaks the grammar by which calls are forced, and vLLM gives the request up.
  const request = { ...say(`${CALL_WEATHER}\n${CALL_TIME}`), tools: TOOLS, tool_choice: "required", ...NO_THINKING };

  it("is told in the stream, after all that was said before, and nothing comes after it", async () => {
    const { status, text } = await stage.ask(chat({ ...request, stream_options: { include_usage: true } }));
    expect(status).toBe(200);
    expect(text).not.toMatch(INSIDES);
    expect(chatBreaches(text, { choices: 1, usage: "final" })).toEqual([]);
    expect(text.endsWith(`\n\ndata: ${JSON.stringify({ error: FAILED })}\n\ndata: [DONE]\n\n`)).toBe(true);
    const calls = [["get_weather", '{"city": "Paris", "days": 2}']];
    expect(saidIn(text)).toEqual([{ ...(dialect === "rust" && { text: "\n" }), calls, finish: null }]);
  });

  it("is a 500 of a whole answer", async () => {
    expect(errorOf(await stage.ask(chat({ ...request, stream: false })))).toEqual({ status: 500, ...FAILED });
  });
});
