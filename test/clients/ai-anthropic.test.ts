/** The AI SDK with `@ai-sdk/anthropic`, which speaks Messages. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { APICallError, generateText, isStepCount, streamText, tool, type LanguageModel } from "ai";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { failureOf } from "./support/failure.ts";
import { openStage, type Stage } from "./support/stage.ts";

const WEATHER = { city: "Łódź", days: [1], units: "c" };
const inputSchema = z.object({ city: z.string(), days: z.array(z.int().min(1)), units: z.enum(["c", "f"]) });
const prompt = "Tell me something.";

let stage: Stage;
let named: (model: string) => LanguageModel;

beforeAll(async () => {
  stage = await openStage({ HOLD_MS: 200, KEEPALIVE_MS: 200 });
  named = createAnthropic({ baseURL: stage.baseURL, apiKey: "unused" });
  // It warns of each model that it does not know.
  vi.stubGlobal("AI_SDK_LOG_WARNINGS", false);
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await stage[Symbol.asyncDispose]();
});

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

  it("streams reasoning apart from the text, and sends it back in the next turn", async () => {
    const model = "sim/chat?key=ai-thinking";
    const asking = {
      model: named(model),
      maxRetries: 0,
      maxOutputTokens: 2_000,
      providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 1_024 } } },
    };
    const question = { role: "user" as const, content: prompt };
    const first = streamText({ ...asking, messages: [question] });
    const [reasoning, text] = [await first.reasoningText, await first.text];
    expect(reasoning).toMatch(/\S/);
    expect(text).not.toContain(reasoning?.trim());
    const { messages } = await first.response;
    await generateText({ ...asking, messages: [question, ...messages, { role: "user", content: "And then?" }] });
    expect(stage.sent(model).at(-1)).toMatchObject({
      messages: [
        { role: "user", content: prompt },
        { role: "assistant", reasoning, content: text },
        { role: "user", content: "And then?" },
      ],
    });
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

  it("runs two calls of one answer", async () => {
    const model = "sim/chat?key=ai-parallel";
    const result = streamText({
      model: named(model),
      prompt: "The weather and the time, both.",
      tools: {
        get_weather: tool({ inputSchema, execute: () => "22 °C" }),
        get_time: tool({ inputSchema: z.object({ tz: z.string() }), execute: () => "noon" }),
      },
      stopWhen: isStepCount(2),
      maxRetries: 0,
    });
    expect(await result.text).toContain("noon");
    const [, second] = stage.sent(model);
    expect(second).toMatchObject({
      messages: [{ role: "user" }, { role: "assistant" }, { role: "tool" }, { role: "tool" }],
    });
  });

  it.each([
    [{ maxOutputTokens: 3 }, "length"],
    [{ stopSequences: ["☔"] }, "stop"],
  ])("finishes with %o as %s", async (more, finish) => {
    const model = named("sim/say?parsers=none");
    const result = streamText({ model, prompt: "天気 is ☔, they say.", maxRetries: 0, ...more });
    expect("天気 is ☔, they say.".startsWith(await result.text)).toBe(true);
    expect(await result.text).not.toContain("☔");
    expect(await result.finishReason).toBe(finish);
  });

  it.each(["sim/error-mid", "sim/eof-mid"])("shows that %s failed, after the text so far", async (model) => {
    const result = streamText({ model: named(model), prompt, maxRetries: 0, onError: () => {} });
    const parts = await Array.fromAsync(result.stream);
    expect(parts.some(({ type }) => type === "text-delta")).toBe(true);
    expect(parts.some(({ type }) => type === "error")).toBe(true);
    expect(parts.flatMap((part) => (part.type === "finish" ? [part.finishReason] : []))).not.toContain("stop");
  });

  it("waits through keep-alives", async () => {
    const result = streamText({ model: named("sim/chat?prefill_ms=1000"), prompt, maxRetries: 0 });
    const parts = await Array.fromAsync(result.stream);
    expect(parts.filter(({ type }) => type === "error")).toEqual([]);
    expect(await result.finishReason).toBe("stop");
  });

  it("frees the origin when its signal is aborted", async () => {
    const model = "sim/chat?pace_ms=30&words=2000&key=ai-abort";
    const leaving = new AbortController();
    const asking = { model: named(model), prompt, maxOutputTokens: 4_000, maxRetries: 0 };
    const { stream } = streamText({ ...asking, abortSignal: leaving.signal });
    const types: string[] = [];
    for await (const { type } of stream) {
      types.push(type);
      if (type === "text-delta") leaving.abort();
    }
    expect(types.at(-1)).toBe("abort");
    await stage.closed(model);
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
