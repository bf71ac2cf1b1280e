/** LangChain's `ChatAnthropic`, which counts the prompt from the first event and puts calls together from their pieces. */
import { ChatAnthropic } from "@langchain/anthropic";
import {
  AIMessage,
  HumanMessage,
  ToolMessage,
  type AIMessageChunk,
  type UsageMetadata,
} from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TIME_TOOL, WEATHER_TOOL } from "./support/anthropic.ts";
import { failureOf } from "./support/failure.ts";
import { openStage, type Stage } from "./support/stage.ts";

const WEATHER = { city: "Łódź", days: [1], units: "c" };
const prompt = "Tell me something.";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ HOLD_MS: 200, KEEPALIVE_MS: 200 });
});

afterAll(() => stage[Symbol.asyncDispose]());

function chat(model: string, more: object = {}): ChatAnthropic {
  return new ChatAnthropic({
    model,
    apiKey: "unused",
    anthropicApiUrl: stage.url,
    maxTokens: 4_000,
    maxRetries: 0,
    ...more,
  });
}

/** Reads a stream to its end and returns its chunks and what they come to. */
async function read(
  stream: AsyncIterable<AIMessageChunk>,
): Promise<{ chunks: AIMessageChunk[]; whole: AIMessageChunk }> {
  const chunks = await Array.fromAsync(stream);
  const [first, ...rest] = chunks;
  if (first === undefined) throw new Error("The stream was empty.");
  return { chunks, whole: rest.reduce((whole, chunk) => whole.concat(chunk), first) };
}

function usageOf(message: AIMessageChunk): UsageMetadata {
  // The package's own types lose it: they say that it is never there.
  const usage = message.usage_metadata as UsageMetadata | undefined;
  if (usage === undefined) throw new Error("There is no usage.");
  return usage;
}

describe("stream()", () => {
  it.each([
    "chat",
    "chat-rust",
    "no-role",
    "two-roles",
    "late-role",
    "no-finish",
    "finish-with-text",
    "after-done",
    "null-delta",
    "no-choices",
    "usage-early",
    "usage-twice",
    "usage-everywhere",
  ])("of sim/%s brings text, finish and usage", async (name) => {
    const { chunks, whole } = await read(await chat(`sim/${name}`).stream(prompt));
    const answer = await chat("sim/chat").invoke(prompt);
    expect(whole.text).toBe(answer.text);
    expect(chunks.length).toBeGreaterThan(10);
    expect(chunks.every((chunk) => chunk.type === "ai")).toBe(true);
    expect(whole.additional_kwargs["stop_reason"]).toBe("end_turn");
    const { input_tokens, output_tokens, total_tokens } = usageOf(answer);
    expect(usageOf(whole)).toMatchObject({ input_tokens, output_tokens, total_tokens });
  });

  it.each(["chat", "chat-rust", "tool-no-index", "tool-args-object", "tool-args-null", "tool-id-again", "tool-legacy"])(
    "of sim/%s brings a tool call",
    async (name) => {
      const bound = chat(`sim/${name}`).bindTools([WEATHER_TOOL]);
      const { whole } = await read(await bound.stream("What is the weather?"));
      expect(whole.invalid_tool_calls).toEqual([]);
      expect(whole.tool_calls).toMatchObject([
        { name: "get_weather", args: WEATHER, id: expect.stringMatching(/^toolu_/) },
      ]);
    },
  );

  it("brings thinking, and takes it back in the next turn", async () => {
    const model = "sim/chat?key=langchain-thinking";
    const thinking = chat(model, { thinking: { type: "enabled", budget_tokens: 1_024 } });
    const question = new HumanMessage(prompt);
    const { whole } = await read(await thinking.stream([question]));
    await thinking.invoke([question, new AIMessage({ content: whole.content }), new HumanMessage("And then?")]);
    expect(stage.sent(model).at(-1)).toMatchObject({
      messages: [
        { role: "user", content: prompt },
        { role: "assistant", reasoning: expect.stringMatching(/\S/), content: whole.text },
        { role: "user", content: "And then?" },
      ],
    });
  });

  it.each(["sim/error-mid", "sim/eof-mid"])("fails with the error that came in-band: %s", async (model) => {
    const stream = await chat(model).stream(prompt);
    expect(await failureOf(read(stream))).toMatchObject({ error: { type: "error", error: { type: "api_error" } } });
  });

  it("frees the origin when its loop is left", async () => {
    const model = "sim/chat?pace_ms=30&words=2000&key=langchain-break";
    for await (const { text } of await chat(model).stream(prompt)) if (text !== "") break;
    await stage.closed(model);
  });
});

describe("invoke()", () => {
  it("takes the results of two calls back", async () => {
    const bound = chat("sim/chat").bindTools([WEATHER_TOOL, TIME_TOOL]);
    const question = new HumanMessage("The weather and the time, both.");
    const answer = await bound.invoke([question]);
    const { tool_calls: calls = [] } = answer;
    expect(calls).toMatchObject([{ name: "get_weather", args: WEATHER }, { name: "get_time" }]);
    const results = calls.map(({ id = "", name }) => new ToolMessage({ content: `${name}: fine`, tool_call_id: id }));
    expect((await bound.invoke([question, answer, ...results])).text).toContain("get_time: fine");
  });

  it.each([
    [{ maxTokens: 3 }, "max_tokens"],
    [{ stopSequences: ["☔"] }, "stop_sequence"],
  ])("finishes with %o as %s", async (more, reason) => {
    const answer = await chat("sim/say?parsers=none", more).invoke("天気 is ☔, they say.");
    expect(answer.additional_kwargs["stop_reason"]).toBe(reason);
    expect(answer.text).not.toContain("☔");
  });

  it.each([
    ["sim/error-python", 400, "invalid_request_error"],
    ["sim/error-429", 429, "rate_limit_error"],
    ["sim/error-503-dead", 503, "overloaded_error"],
  ])("fails with the status of %s", async (model, status, type) => {
    expect(await failureOf(chat(model).invoke(prompt))).toMatchObject({ status, error: { error: { type } } });
  });
});
