/** The `openai` package, both generations of it, as applications use it: streams, whole answers, tools, usage. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENERATIONS, type OpenAIClient } from "./support/openai.ts";
import { openStage, type Stage } from "./support/stage.ts";
import { TIME_TOOL, WEATHER_TOOL } from "./support/weather.ts";

const SAID = "Łódź — 天気 ☔, and a naïve “quote”.";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("openai $version", ({ version, OpenAI }) => {
  let client: OpenAIClient;

  beforeAll(() => {
    client = new OpenAI({ baseURL: stage.baseURL, apiKey: "unused", maxRetries: 0 });
  });

  describe.each(["", "-rust"])("of a server that speaks as sim%s", (dialect) => {
    it("streams a text in many chunks of one answer", async () => {
      const model = `sim/say${dialect}?parsers=none`;
      const stream = await client.chat.completions.create({ model, messages: [user(SAID)], stream: true });
      const chunks = await Array.fromAsync(stream);
      const texts = chunks.map(({ choices }) => choices[0]?.delta.content).filter((text) => !!text);
      expect(texts.join("")).toBe(SAID);
      expect(texts.length).toBeGreaterThan(10);
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
      expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
      expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
    });

    it("reads a whole answer with its usage", async () => {
      const model = `sim/say${dialect}?parsers=none`;
      const answer = await client.chat.completions.create({ model, messages: [user(SAID)] });
      expect(answer).toMatchObject({
        object: "chat.completion",
        choices: [{ index: 0, message: { role: "assistant", content: SAID }, finish_reason: "stop" }],
      });
      expect(answer.usage?.total_tokens).toBe(sum(answer.usage?.prompt_tokens, answer.usage?.completion_tokens));
      expect(answer._request_id).toMatch(/^req_/);
    });

    it("streams two tool calls whose arguments parse", async () => {
      const stream = await client.chat.completions.create({
        model: `sim/chat${dialect}`,
        messages: [user("The weather and the time, both.")],
        tools: [WEATHER_TOOL, TIME_TOOL],
        stream: true,
      });
      const calls: { id: string; name: string; text: string }[] = [];
      const finishes: string[] = [];
      for await (const { choices } of stream) {
        for (const { index, id, function: fragment } of choices[0]?.delta.tool_calls ?? []) {
          const call = (calls[index] ??= { id: "", name: "", text: "" });
          call.id += id ?? "";
          call.name += fragment?.name ?? "";
          call.text += fragment?.arguments ?? "";
        }
        if (choices[0]?.finish_reason) finishes.push(choices[0].finish_reason);
      }
      expect(calls.map(({ name, text }) => [name, JSON.parse(text)])).toEqual([
        ["get_weather", { city: "Łódź", days: [1], units: "c" }],
        ["get_time", { tz: "Europe/Paris" }],
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      expect(finishes).toEqual(["tool_calls"]);
    });

    it("reads a tool call in a whole answer, and the answer to its result", async () => {
      const model = `sim/chat${dialect}`;
      const question = user("What is the weather?");
      const tools = [WEATHER_TOOL];
      const first = await client.chat.completions.create({ model, messages: [question], tools });
      const [choice] = first.choices;
      expect(choice?.finish_reason).toBe("tool_calls");
      const [call] = choice?.message.tool_calls ?? [];
      if (choice === undefined || call?.type !== "function") throw new Error("There is no call.");
      expect(JSON.parse(call.function.arguments)).toEqual({ city: "Łódź", days: [1], units: "c" });
      const result = { role: "tool", tool_call_id: call.id, content: "22 °C" } as const;
      const messages = [question, choice.message, result];
      const second = await client.chat.completions.create({ model, messages, tools });
      expect(second.choices[0]?.message.content).toContain("22 °C");
    });

    it("sends an answer back with its reasoning, which the origin gets under one of its names", async () => {
      const model = `sim/chat${dialect}?key=reasoning-${version}`;
      const question = user("Tell me something.");
      const first = await client.chat.completions.create({ model, messages: [question], reasoning_effort: "low" });
      const message = first.choices[0]?.message;
      if (message === undefined) throw new Error("There is no message.");
      const said: object = message;
      if (!("reasoning" in said)) throw new Error("There is no reasoning.");
      expect(message).toMatchObject({ reasoning_content: said.reasoning });
      await client.chat.completions.create({ model, messages: [question, message, user("And then?")] });
      expect(stage.sent(model).at(-1)).toMatchObject({ messages: [{}, { reasoning: said.reasoning }, {}] });
      expect(stage.asked(model).at(-1)?.body).not.toContain("reasoning_content");
    });

    it("gets the usage of a stream when it asks for it, last and on a chunk of its own", async () => {
      const stream = await client.chat.completions.create({
        model: `sim/say${dialect}?parsers=none`,
        messages: [user(SAID)],
        stream: true,
        stream_options: { include_usage: true },
      });
      const chunks = await Array.fromAsync(stream);
      const last = chunks.at(-1);
      expect(last?.choices).toEqual([]);
      expect(last?.usage?.completion_tokens).toBeGreaterThan(10);
      expect(last?.usage?.total_tokens).toBe(sum(last?.usage?.prompt_tokens, last?.usage?.completion_tokens));
      expect(chunks.slice(0, -1).filter(({ usage }) => usage)).toEqual([]);
    });
  });

  it.each(["", "/"])(
    "takes <gateway>/v1%s as its base URL, and the origin is asked at the same path",
    async (slash) => {
      const model = `sim/chat?key=base${slash}${version}`;
      const other = client.withOptions({ baseURL: `${stage.baseURL}${slash}` });
      await other.chat.completions.create({ model, messages: [user("Hello")], max_tokens: 3 });
      expect(stage.asked(model).map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/chat/completions"]);
    },
  );
});

function user(content: string): { role: "user"; content: string } {
  return { role: "user", content };
}

function sum(prompt = Number.NaN, completion = Number.NaN): number {
  return prompt + completion;
}
