/** The strict helpers of the `openai` package, which forgive nothing that servers get wrong: text, errors, usage. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { failureOf } from "./support/failure.ts";
import { GENERATIONS, type OpenAIClient } from "./support/openai.ts";
import { openStage, type Stage } from "./support/stage.ts";

const messages = [{ role: "user" as const, content: "Tell me something." }];

/** What the origin does to a stream of text that a client should not be able to tell from a good one. */
const UNSEEN = [
  "no-role",
  "two-roles",
  "late-role",
  "crlf",
  "bom",
  "multi-data",
  "ids",
  "tiny-packets",
  "foreign-id",
  "unknown-fields",
  "null-delta",
  "no-choices",
  "no-done",
  "no-finish",
  "two-finishes",
  "two-done",
  "after-done",
  "finish-with-text",
  "finish-empty",
  "no-usage",
  "usage-twice",
  "usage-early",
  "usage-everywhere",
  "usage-nonsense",
];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("openai $version", ({ version, OpenAI, helpers }) => {
  let client: OpenAIClient;

  beforeAll(() => {
    client = new OpenAI({ baseURL: stage.baseURL, apiKey: "unused", maxRetries: 0 });
  });

  async function wholeText(): Promise<string> {
    const answer = await client.chat.completions.create({ model: "sim/chat", messages });
    return answer.choices[0]?.message.content ?? "";
  }

  describe(".stream()", () => {
    it.each(["chat", "chat-rust", ...UNSEEN, ...UNSEEN.map((name) => `${name}-rust`)])("of sim/%s", async (name) => {
      const stream = client.chat.completions.stream({ model: `sim/${name}`, messages });
      let deltas = "";
      stream.on("content.delta", ({ delta }) => (deltas += delta));
      const answer = await stream.finalChatCompletion();
      expect(answer).toMatchObject({ object: "chat.completion", model: `sim/${name}` });
      expect(answer.choices).toHaveLength(1);
      expect(answer.choices[0]?.finish_reason).toBe("stop");
      expect(deltas).toBe(await wholeText());
      expect(answer.choices[0]?.message.content).toBe(deltas);
    });

    it("knows the usage when it asks for it", async () => {
      const asking = { model: "sim/usage-early", messages, stream_options: { include_usage: true } };
      const { usage } = await client.chat.completions.stream(asking).finalChatCompletion();
      const whole = await client.chat.completions.create({ model: "sim/chat", messages });
      expect(usage).toMatchObject({
        prompt_tokens: whole.usage?.prompt_tokens,
        completion_tokens: whole.usage?.completion_tokens,
        total_tokens: whole.usage?.total_tokens,
      });
    });

    it("is not shown a usage that it did not ask for", async () => {
      const answer = await client.chat.completions
        .stream({ model: "sim/usage-everywhere", messages })
        .finalChatCompletion();
      expect(answer.usage ?? undefined).toBeUndefined();
    });

    it("streams two choices side by side", async () => {
      const answer = await client.chat.completions
        .stream({ model: "sim/one-of-two", messages, n: 2 })
        .finalChatCompletion();
      const texts = answer.choices.map(({ message }) => message.content);
      expect(answer.choices.map(({ finish_reason }) => finish_reason)).toEqual(["stop", "stop"]);
      expect(texts[0]).toBe(await wholeText());
      expect(texts[1]).not.toBe(texts[0]);
    });

    it("fails with the error that came in-band, after the text so far", async () => {
      const stream = client.chat.completions.stream({ model: "sim/error-mid", messages });
      let deltas = "";
      stream.on("content.delta", ({ delta }) => (deltas += delta));
      const error = await failureOf(stream.finalChatCompletion());
      expect(deltas).not.toBe("");
      expect(error).toBeInstanceOf(OpenAI.APIError);
      expect(error).toMatchObject({ code: "origin_error" });
    });

    it("frees the origin on abort()", async () => {
      const model = `sim/chat?pace_ms=30&words=2000&key=helper-${version}`;
      const stream = client.chat.completions.stream({ model, messages });
      stream.once("content.delta", () => stream.abort());
      expect(await failureOf(stream.done())).toBeInstanceOf(OpenAI.APIUserAbortError);
      await stage.closed(model);
    });
  });

  describe("structured output", () => {
    const forecast = z.object({ city: z.string(), days: z.array(z.object({ high: z.number(), rain: z.boolean() })) });
    const expected = { city: "Łódź", days: [{ high: 1, rain: true }] };
    const asking = () => ({ messages, response_format: helpers.zodResponseFormat(forecast, "forecast") });

    it.each(["sim/chat", "sim/chat-rust"])("is parsed from a whole answer of %s", async (model) => {
      const answer = await client.chat.completions.parse({ model, ...asking() });
      expect(answer.choices[0]?.message.parsed).toEqual(expected);
    });

    it.each(["sim/chat", "sim/chat-rust", "sim/finish-with-text"])("grows in a stream of %s", async (model) => {
      const stream = client.chat.completions.stream({ model, ...asking() });
      const partial: unknown[] = [];
      stream.on("content.delta", ({ parsed }) => partial.push(structuredClone(parsed)));
      const answer = await stream.finalChatCompletion();
      expect(answer.choices[0]?.message.parsed).toEqual(expected);
      expect(partial).toContainEqual({ city: "Łódź" });
    });

    it("that was cut off by the limit is the helper's own error", async () => {
      const parse = client.chat.completions.parse({ model: "sim/chat", ...asking(), max_completion_tokens: 5 });
      expect(await failureOf(parse)).toMatchObject({ name: expect.stringMatching(/Error/), message: /length/ });
    });
  });
});
