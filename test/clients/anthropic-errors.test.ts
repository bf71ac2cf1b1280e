/** What goes wrong reaches an application as the error classes of Anthropic's SDK, and is retried where it helps. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENERATIONS, type AnthropicClient } from "./support/anthropic.ts";
import { failureOf } from "./support/failure.ts";
import { openStage, type Stage } from "./support/stage.ts";

const messages = [{ role: "user" as const, content: "Hello" }];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("@anthropic-ai/sdk $version", ({ version, Anthropic }) => {
  let client: AnthropicClient;

  beforeAll(() => {
    client = new Anthropic({ baseURL: stage.url, apiKey: "unused", maxRetries: 0 });
  });

  describe.each([
    { how: "a stream", stream: true as const },
    { how: "a whole answer", stream: false as const },
  ])("asking for $how", ({ stream }) => {
    const fails = (model: string, more: object = {}): Promise<unknown> =>
      failureOf(client.messages.create({ model, max_tokens: 100, messages, stream, ...more }));

    it("gets a BadRequestError in the origin's words", async () => {
      const error = await fails("sim/error-python");
      expect(error).toBeInstanceOf(Anthropic.BadRequestError);
      expect(error).toMatchObject({
        status: 400,
        error: {
          type: "error",
          error: { type: "invalid_request_error", message: "temperature must be non-negative, got -1.0." },
          request_id: expect.stringMatching(/^req_/),
        },
        requestID: expect.stringMatching(/^req_/),
      });
    });

    it("gets a BadRequestError for what the origin refuses only after its 200", async () => {
      expect(await fails("sim/chat?error=400")).toBeInstanceOf(Anthropic.BadRequestError);
    });

    it("gets a BadRequestError that names the parameter, and the origin never hears of it", async () => {
      const model = `sim/chat?key=tools-${version}-${stream}`;
      const error = await fails(model, { tools: [{ type: "bash_20250124", name: "bash" }] });
      expect(error).toBeInstanceOf(Anthropic.BadRequestError);
      expect(error).toMatchObject({ message: expect.stringMatching(/tools\[0\].*bash_20250124/) });
      expect(stage.asked(model)).toEqual([]);
    });

    it("gets a NotFoundError for a model that is not there", async () => {
      const error = await fails("sim/error-404-model");
      expect(error).toBeInstanceOf(Anthropic.NotFoundError);
      expect(error).toMatchObject({ status: 404, error: { error: { type: "not_found_error" } } });
    });

    it("gets a RateLimitError with the headers that say when to come again", async () => {
      const error = await fails("sim/error-429");
      if (!(error instanceof Anthropic.RateLimitError)) throw error;
      expect(error).toMatchObject({ status: 429, error: { error: { type: "rate_limit_error" } } });
      const hints = ["retry-after", "retry-after-ms", "x-should-retry"].map((name) => error.headers.get(name));
      expect(hints).toEqual(["7", "7000", "true"]);
    });

    it.each([
      ["sim/error-500-stack", 500, "api_error"],
      ["sim/error-html", 502, "api_error"],
      ["sim/error-401", 502, "api_error"],
      ["sim/hang-up", 502, "api_error"],
      ["sim/error-503-dead", 503, "overloaded_error"],
      ["sim/error-52x", 504, "timeout_error"],
    ])("gets an APIError of %s", async (model, status, type) => {
      const error = await fails(model);
      expect(error).toBeInstanceOf(Anthropic.APIError);
      expect(error).toMatchObject({ status, error: { error: { type } } });
    });

    it("is told of a prompt that is too long in the words that its clients look for", async () => {
      const error = await fails("tiny", { messages: [{ role: "user", content: "word ".repeat(4_000) }] });
      expect(error).toBeInstanceOf(Anthropic.BadRequestError);
      expect(error).toMatchObject({
        error: {
          error: {
            type: "invalid_request_error",
            message: expect.stringMatching(/^prompt is too long: \d+ tokens > 2048 maximum$/),
          },
        },
      });
    });

    it("does not repeat what the gateway says will not help", async () => {
      const model = `sim/error-python?key=once-${version}-${stream}`;
      const patient = client.withOptions({ maxRetries: 2 });
      const error = await failureOf(patient.messages.create({ model, max_tokens: 100, messages, stream }));
      expect(error).toBeInstanceOf(Anthropic.BadRequestError);
      expect(stage.asked(model)).toHaveLength(1);
    });

    it("repeats what may help, when the gateway says so", async () => {
      const model = `sim/error-503-dead?key=again-${version}-${stream}`;
      const patient = client.withOptions({ maxRetries: 1 });
      const error = await failureOf(patient.messages.create({ model, max_tokens: 100, messages, stream }));
      expect(error).toMatchObject({ status: 503 });
      expect(stage.asked(model).length).toBeGreaterThanOrEqual(2);
    });
  });

  it.each([
    ["sim/error-mid", "api_error"],
    ["sim/eof-mid", "api_error"],
    ["sim/reset-mid", "api_error"],
    ["sim/bad-json", "api_error"],
  ])("gets the text so far and then an APIError when a stream ends as %s", async (model, type) => {
    const stream = await client.messages.create({ model, max_tokens: 100, messages, stream: true });
    const seen: string[] = [];
    const error = await failureOf(
      (async () => {
        for await (const event of stream) seen.push(event.type);
      })(),
    );
    expect(seen).toContain("content_block_delta");
    expect(seen).not.toContain("message_delta");
    expect(seen).not.toContain("message_stop");
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ status: undefined, error: { type: "error", error: { type } } });
  });

  it("fails in its helper too, with what had been said before", async () => {
    const stream = client.messages.stream({ model: "sim/eof-mid", max_tokens: 100, messages });
    let text = "";
    stream.on("text", (delta) => (text += delta));
    expect(await failureOf(stream.finalMessage())).toBeInstanceOf(Anthropic.APIError);
    expect(text).not.toBe("");
  });

  it("gets an InternalServerError for a whole answer that was cut off", async () => {
    const error = await failureOf(client.messages.create({ model: "sim/eof-mid", max_tokens: 100, messages }));
    expect(error).toBeInstanceOf(Anthropic.InternalServerError);
    expect(error).toMatchObject({ status: 502, error: { error: { type: "api_error" } } });
  });

  it("gets a BadRequestError of a count that makes no sense", async () => {
    const error = await failureOf(client.messages.countTokens({ model: "sim/chat", messages: [] }));
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error).toMatchObject({ message: expect.stringContaining("messages") });
  });
});
