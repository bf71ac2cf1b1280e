/** Anthropic's SDK, both generations of it, as applications use it: streams, whole answers, thinking, usage, models. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENERATIONS, type AnthropicClient } from "./support/anthropic.ts";
import { failureOf } from "./support/failure.ts";
import { openStage, type Stage } from "./support/stage.ts";

const SAID = "Łódź — 天気 ☔, and a naïve “quote”.";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ MODELS: { "claude-gates": { model: "sim/chat" } } });
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("@anthropic-ai/sdk $version", ({ version, Anthropic }) => {
  let client: AnthropicClient;

  beforeAll(() => {
    client = new Anthropic({ baseURL: stage.url, apiKey: "unused", maxRetries: 0 });
  });

  describe.each(["", "-rust"])("of a server that speaks as sim%s", (dialect) => {
    const model = `sim/say${dialect}?parsers=none`;
    const asking = { model, max_tokens: 200, messages: [user(SAID)] };

    it("streams the events of one text", async () => {
      const events = await Array.fromAsync(await client.messages.create({ ...asking, stream: true }));
      const texts = events.flatMap((event) =>
        event.type === "content_block_delta" && event.delta.type === "text_delta" ? [event.delta.text] : [],
      );
      expect(texts.join("")).toBe(SAID);
      expect(texts.length).toBeGreaterThan(10);
      expect(events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])).toEqual([
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
      ]);
    });

    it("accumulates a stream to what it is as a whole answer", async () => {
      const streamed = await client.messages.stream(asking).finalMessage();
      const whole = await client.messages.create(asking);
      expect(whole).toMatchObject({
        id: expect.stringMatching(/^msg_/),
        type: "message",
        role: "assistant",
        model,
        content: [{ type: "text", text: SAID }],
        stop_reason: "end_turn",
        stop_sequence: null,
        _request_id: expect.stringMatching(/^req_/),
      });
      expect(whole.usage.input_tokens).toBeGreaterThan(10);
      expect(whole.usage.output_tokens).toBeGreaterThan(10);
      expect(streamed).toMatchObject({ ...whole, id: expect.stringMatching(/^msg_/) });
    });

    it("reads thinking apart from the text, and the origin gets it back in the next turn", async () => {
      const named = `sim/chat${dialect}?key=thinking-${version}`;
      const thinking = { type: "enabled" as const, budget_tokens: 1_024 };
      const rest = { model: named, max_tokens: 2_000, thinking };
      const question = user("Tell me something.");
      const first = client.messages.stream({ ...rest, messages: [question] });
      let heard = "";
      first.on("thinking", (delta) => (heard += delta));
      const { content } = await first.finalMessage();
      const [thought, text] = content;
      if (thought?.type !== "thinking" || text?.type !== "text") throw new Error(JSON.stringify(content));
      expect(content).toHaveLength(2);
      expect(thought.thinking).toMatch(/\S/);
      expect(thought.signature).not.toBe("");
      expect(heard).toBe(thought.thinking);
      expect(text.text).not.toContain(thought.thinking.trim());
      await client.messages.create({
        ...rest,
        messages: [question, { role: "assistant", content }, user("And then?")],
      });
      expect(stage.sent(named).at(-1)).toMatchObject({
        chat_template_kwargs: { enable_thinking: true },
        messages: [
          { role: "user", content: "Tell me something." },
          { role: "assistant", content: text.text, reasoning: thought.thinking },
          { role: "user", content: "And then?" },
        ],
      });
    });

    it.each([true, false])("stops at the limit (stream: %s)", async (stream) => {
      const asked = { ...asking, max_tokens: 3 };
      const answer = await (stream ? client.messages.stream(asked).finalMessage() : client.messages.create(asked));
      expect(answer).toMatchObject({ stop_reason: "max_tokens", stop_sequence: null, usage: { output_tokens: 3 } });
      expect(SAID.startsWith(textOf(answer))).toBe(true);
    });

    it.each([true, false])("stops at a sequence of the client's (stream: %s)", async (stream) => {
      const asked = { ...asking, stop_sequences: ["never", "☔"] };
      const answer = await (stream ? client.messages.stream(asked).finalMessage() : client.messages.create(asked));
      expect(answer).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "☔" });
      expect(textOf(answer)).toBe("Łódź — 天気 ");
    });

    it("counts the tokens that a message then has", async () => {
      const { input_tokens: counted } = await client.messages.countTokens({ model, messages: [user(SAID)] });
      expect(counted).toBe((await client.messages.create(asking)).usage.input_tokens);
    });
  });

  it("waits through a silence that keep-alives break", async () => {
    const model = `sim/chat?prefill_ms=1000&key=ping-${version}`;
    await using patient = await openStage({ HOLD_MS: 100, KEEPALIVE_MS: 100 });
    const other = client.withOptions({ baseURL: patient.url });
    const answer = await other.messages.stream({ model, max_tokens: 3, messages: [user("Hello")] }).finalMessage();
    expect(answer.stop_reason).toBe("max_tokens");
  });

  it("makes the same requests of its beta resource", async () => {
    const model = `sim/chat?key=beta-${version}`;
    const asked = { model, max_tokens: 3, messages: [user("Hello")], betas: ["interleaved-thinking-2025-05-14"] };
    const answer = await client.beta.messages.create(asked);
    expect(answer.stop_reason).toBe("max_tokens");
    expect(stage.asked(model).map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/chat/completions"]);
  });

  it("lists the models, aliases included", async () => {
    const models = await Array.fromAsync(client.models.list({ limit: 1_000 }));
    expect(models.map(({ id }) => id)).toEqual([
      "sim/chat",
      "sim/chat-rust",
      "sim/say",
      "sim/embed",
      "tiny",
      "tiny-rust",
      "claude-gates",
    ]);
    expect(models.at(-1)).toEqual({
      id: "claude-gates",
      type: "model",
      display_name: "claude-gates",
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
      max_input_tokens: 8_192,
      max_tokens: 8_192,
      capabilities: null,
      lifecycle: "active",
      line: null,
      deprecated_at: null,
      retires_at: null,
      // Of other readers of the same list.
      object: "model",
      created: expect.any(Number),
      owned_by: "vllm",
      max_model_len: 8_192,
    });
  });

  it("retrieves one model, and is answered under an alias by the alias", async () => {
    expect(await client.models.retrieve("claude-gates")).toMatchObject({ id: "claude-gates", type: "model" });
    const answer = await client.messages.create({ model: "claude-gates", max_tokens: 3, messages: [user("Hello")] });
    expect(answer.model).toBe("claude-gates");
  });

  it("gets a NotFoundError for a model that is not there", async () => {
    expect(await failureOf(client.models.retrieve("no/such"))).toBeInstanceOf(Anthropic.NotFoundError);
  });
});

function user(content: string): { role: "user"; content: string } {
  return { role: "user", content };
}

function textOf({ content }: { content: readonly { type: string; text?: string }[] }): string {
  return content.map(({ text = "" }) => text).join("");
}
