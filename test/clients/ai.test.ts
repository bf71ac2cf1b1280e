/** The AI SDK with `@ai-sdk/openai-compatible`, the provider that people point at vLLM. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateText,
  isStepCount,
  Output,
  streamObject,
  streamText,
  tool,
  type LanguageModel,
} from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { failureOf } from "./support/failure.ts";
import { openStage, type Stage } from "./support/stage.ts";

const forecast = z.object({ city: z.string(), days: z.array(z.object({ high: z.number(), rain: z.boolean() })) });
const FORECAST = { city: "Łódź", days: [{ high: 1, rain: true }] };
const WEATHER = { city: "Łódź", days: [1], units: "c" };
const inputSchema = z.object({ city: z.string(), days: z.array(z.int().min(1)), units: z.enum(["c", "f"]) });
const prompt = "Tell me something.";

let stage: Stage;
let named: (model: string) => LanguageModel;

beforeAll(async () => {
  stage = await openStage();
  const provider = createOpenAICompatible({
    name: "sluice",
    baseURL: stage.baseURL,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  named = (model) => provider.chatModel(model);
});

afterAll(() => stage[Symbol.asyncDispose]());

describe("streamText", () => {
  it.each([
    "chat",
    "chat-rust",
    "no-role",
    "late-role",
    "no-done",
    "no-finish",
    "after-done",
    "finish-with-text",
    "finish-empty",
    "null-delta",
    "no-choices",
    "unknown-fields",
    "usage-early",
    "no-last-blank",
    "tiny-packets",
  ])("streams the text of sim/%s", async (name) => {
    const result = streamText({ model: named(`sim/${name}`), prompt, maxRetries: 0 });
    const parts = await Array.fromAsync(result.stream);
    const texts = parts.flatMap((part) => (part.type === "text-delta" ? [part.text] : []));
    const whole = await generateText({ model: named("sim/chat"), prompt, maxRetries: 0 });
    expect(parts.filter(({ type }) => type === "error")).toEqual([]);
    expect(texts.join("")).toBe(whole.text);
    expect(texts.length).toBeGreaterThan(10);
    expect(await result.finishReason).toBe("stop");
    expect(await result.totalUsage).toMatchObject({
      inputTokens: whole.totalUsage.inputTokens,
      outputTokens: whole.totalUsage.outputTokens,
    });
  });

  it("streams reasoning apart from the text", async () => {
    const model = named("sim/chat?reasoning=reasoning");
    const result = streamText({ model, prompt, reasoning: "low", maxRetries: 0 });
    expect(await result.reasoningText).toMatch(/\S/);
    expect(await result.text).not.toContain(await result.reasoningText);
  });

  it.each(["chat", "chat-rust", "tool-no-index", "tool-args-object", "tool-args-null", "tool-stop", "tool-legacy"])(
    "runs the tool that sim/%s calls and streams the answer to its result",
    async (name) => {
      const seen: unknown[] = [];
      const weather = tool({
        description: "The weather of a city",
        inputSchema,
        execute: (input) => {
          seen.push(input);
          return "22 °C";
        },
      });
      const result = streamText({
        model: named(`sim/${name}`),
        prompt: "What is the weather?",
        tools: { get_weather: weather },
        // The faults call again whatever they are told.
        stopWhen: isStepCount(name.startsWith("chat") ? 2 : 1),
        maxRetries: 0,
      });
      const text = await result.text;
      expect(seen).toEqual([WEATHER]);
      if (name.startsWith("chat")) expect(text).toContain("22 °C");
      else expect(await result.finishReason).toBe("tool-calls");
    },
  );

  it.each(["sim/error-mid", "sim/eof-mid"])("shows that %s failed, after the text so far", async (model) => {
    const result = streamText({ model: named(model), prompt, maxRetries: 0, onError: () => {} });
    const parts = await Array.fromAsync(result.stream);
    expect(parts.some(({ type }) => type === "text-delta")).toBe(true);
    expect(parts.some(({ type }) => type === "error")).toBe(true);
    expect(parts.flatMap((part) => (part.type === "finish" ? [part.finishReason] : []))).not.toContain("stop");
  });

  it("frees the origin when its signal is aborted", async () => {
    const model = "sim/chat?pace_ms=30&words=2000&key=ai-abort";
    const leaving = new AbortController();
    const { stream } = streamText({ model: named(model), prompt, maxRetries: 0, abortSignal: leaving.signal });
    const types: string[] = [];
    for await (const { type } of stream) {
      types.push(type);
      if (type === "text-delta") leaving.abort();
    }
    expect(types.at(-1)).toBe("abort");
    await stage.closed(model);
  });
});

describe("structured output", () => {
  it.each(["sim/chat", "sim/chat-rust", "sim/finish-with-text"])("streamObject of %s grows", async (model) => {
    const result = streamObject({ model: named(model), prompt, schema: forecast, maxRetries: 0 });
    const partial = await Array.fromAsync(result.partialObjectStream);
    expect(partial).toContainEqual({ city: "Łódź" });
    expect(partial.at(-1)).toEqual(FORECAST);
    expect(await result.object).toEqual(FORECAST);
  });

  it("streamText with an output grows too", async () => {
    const output = Output.object({ schema: forecast });
    const result = streamText({ model: named("sim/chat"), prompt, output, maxRetries: 0 });
    expect(await Array.fromAsync(result.partialOutputStream)).toContainEqual({ city: "Łódź" });
    expect(await result.output).toEqual(FORECAST);
  });
});

describe("errors before the head", () => {
  it.each([
    ["sim/error-python", 400, false, "temperature must be non-negative, got -1.0."],
    ["sim/error-404-model", 404, false, "The model `sim/error-404-model` does not exist."],
    ["sim/error-429", 429, true, "The origin is receiving too many requests. Try again later."],
    ["sim/error-503-dead", 503, true, "The origin cannot take this request now. Try again later."],
  ])("%s is an APICallError of status %i", async (model, statusCode, isRetryable, message) => {
    const error = await failureOf(generateText({ model: named(model), prompt, maxRetries: 0 }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode, isRetryable, message });
  });
});
