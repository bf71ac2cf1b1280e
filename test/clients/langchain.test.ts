/** LangChain's `ChatOpenAI`, which always asks for usage and needs role, call ids and delta where it looks for them. */
import { HumanMessage, ToolMessage, type AIMessageChunk, type UsageMetadata } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { failureOf } from "./support/failure.ts";
import { openStage, type Stage } from "./support/stage.ts";
import { WEATHER_TOOL } from "./support/weather.ts";

const WEATHER = { city: "Łódź", days: [1], units: "c" };
const prompt = "Tell me something.";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

function chat(model: string): ChatOpenAI {
  return new ChatOpenAI({
    model,
    apiKey: "unused",
    maxRetries: 0,
    useResponsesApi: false,
    configuration: { baseURL: stage.baseURL },
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
    expect(whole.response_metadata["finish_reason"]).toBe("stop");
    const { input_tokens, output_tokens, total_tokens } = usageOf(answer);
    expect(usageOf(whole)).toMatchObject({ input_tokens, output_tokens, total_tokens });
  });

  it.each(["chat", "chat-rust", "tool-no-index", "tool-args-object", "tool-args-null", "tool-id-again", "tool-legacy"])(
    "of sim/%s brings a tool call",
    async (name) => {
      const bound = chat(`sim/${name}`).bindTools([WEATHER_TOOL]);
      const { whole } = await read(await bound.stream("What is the weather?"));
      expect(whole.invalid_tool_calls).toEqual([]);
      expect(whole.tool_calls).toMatchObject([{ name: "get_weather", args: WEATHER, id: expect.stringMatching(/./) }]);
    },
  );

  it("fails with the error that came in-band", async () => {
    const stream = await chat("sim/error-mid").stream(prompt);
    expect(await failureOf(read(stream))).toMatchObject({ code: "origin_error" });
  });

  it("frees the origin when its loop is left", async () => {
    const model = "sim/chat?pace_ms=30&words=2000&key=langchain-break";
    for await (const { text } of await chat(model).stream(prompt)) if (text !== "") break;
    await stage.closed(model);
  });
});

describe("invoke()", () => {
  it("takes a tool's result back", async () => {
    const bound = chat("sim/chat").bindTools([WEATHER_TOOL]);
    const question = new HumanMessage("What is the weather?");
    const call = await bound.invoke([question]);
    expect(call.tool_calls).toMatchObject([{ name: "get_weather", args: WEATHER }]);
    const result = new ToolMessage({ content: "22 °C", tool_call_id: call.tool_calls?.[0]?.id ?? "" });
    expect((await bound.invoke([question, call, result])).text).toContain("22 °C");
  });

  it("parses structured output", async () => {
    const schema = z.object({ city: z.string(), rain: z.boolean() });
    const structured = chat("sim/chat").withStructuredOutput(schema, { method: "jsonSchema" });
    expect(await structured.invoke(prompt)).toEqual({ city: "Łódź", rain: true });
  });

  it.each([
    ["sim/error-python", 400, "invalid_request"],
    ["sim/error-429", 429, "rate_limited"],
    ["sim/error-503-dead", 503, "origin_unavailable"],
  ])("fails with the status of %s", async (model, status, code) => {
    expect(await failureOf(chat(model).invoke(prompt))).toMatchObject({ status, code });
  });
});
