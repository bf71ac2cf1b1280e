/** What goes wrong reaches an application as the `openai` package's own error classes, and is retried where it helps. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf } from "./support/failure.ts";
import { GENERATIONS, type OpenAIClient } from "./support/openai.ts";
import { openStage, type Stage } from "./support/stage.ts";

const messages = [{ role: "user" as const, content: "Hello" }];

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

  /** One model name for each test and generation, so that the origin's record tells their requests apart. */
  const named = (model: string): string => `${model}${model.includes("?") ? "&" : "?"}key=${version}`;

  describe.each([
    { how: "a stream", stream: true as const },
    { how: "a whole answer", stream: false as const },
  ])("asking for $how", ({ stream }) => {
    const fails = (model: string): Promise<unknown> =>
      failureOf(client.chat.completions.create({ model, messages, stream }));

    it("gets a BadRequestError with param and code", async () => {
      const error = await fails("sim/error-python");
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({
        status: 400,
        type: "invalid_request_error",
        code: "invalid_request",
        param: "temperature",
        message: "400 temperature must be non-negative, got -1.0.",
        requestID: expect.stringMatching(/^req_/),
      });
    });

    it("gets a BadRequestError for what the origin refuses only after its 200", async () => {
      const error = await fails("sim/chat?error=400");
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ status: 400, code: "invalid_request" });
    });

    it("gets a NotFoundError for a model that is not there", async () => {
      const error = await fails("sim/error-404-model");
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      expect(error).toMatchObject({ status: 404, code: "model_not_found", param: "model" });
    });

    it("gets a RateLimitError with the headers that say when to come again", async () => {
      const error = await fails("sim/error-429");
      if (!(error instanceof OpenAI.RateLimitError)) throw error;
      expect(error).toMatchObject({ status: 429, code: "rate_limited", type: "rate_limit_error" });
      const hints = ["retry-after", "retry-after-ms", "x-should-retry"].map((name) => error.headers.get(name));
      expect(hints).toEqual(["7", "7000", "true"]);
    });

    it.each([
      ["sim/error-500-stack", 500, "origin_error"],
      ["sim/error-html", 502, "origin_error"],
      ["sim/error-401", 502, "origin_auth"],
      ["sim/hang-up", 502, "origin_unreachable"],
      ["sim/error-503-dead", 503, "origin_unavailable"],
      ["sim/error-52x", 504, "origin_timeout"],
    ])("gets an InternalServerError of %s", async (model, status, code) => {
      const error = await fails(model);
      expect(error).toBeInstanceOf(OpenAI.InternalServerError);
      expect(error).toMatchObject({ status, code });
    });
  });

  it("gets an InternalServerError for a whole answer that was cut off", async () => {
    const error = await failureOf(client.chat.completions.create({ model: "sim/eof-mid", messages }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 502, code: "origin_cut" });
  });

  it.each([
    ["sim/error-mid", "origin_error"],
    ["sim/eof-mid", "origin_cut"],
    ["sim/reset-mid", "origin_cut"],
    ["sim/bad-json", "origin_protocol"],
  ])("gets the text so far and then an APIError when a stream ends as %s", async (model, code) => {
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    let text = "";
    const error = await failureOf(
      (async () => {
        for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
      })(),
    );
    expect(text).not.toBe("");
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ status: undefined, code, type: "server_error" });
  });

  it("does not repeat what the gateway says will not help", async () => {
    const model = named("sim/error-403-switch");
    const patient = client.withOptions({ maxRetries: 2 });
    const error = await failureOf(patient.chat.completions.create({ model, messages, stream: true }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 501, code: "not_supported_by_origin" });
    expect(stage.asked(model)).toHaveLength(1);
  });

  it("repeats what may help", async () => {
    const model = named("sim/error-500-stack");
    const patient = client.withOptions({ maxRetries: 1 });
    const error = await failureOf(patient.chat.completions.create({ model, messages, stream: true }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(stage.asked(model)).toHaveLength(2);
  });
});
