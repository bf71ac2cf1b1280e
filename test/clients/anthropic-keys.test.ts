/** The door, as Anthropic's clients meet it: with an API key in a header of its own, or with a bearer token. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENERATIONS } from "./support/anthropic.ts";
import { failureOf } from "./support/failure.ts";
import { openStage, type Stage } from "./support/stage.ts";

const KEY = "sk-a-key-of-a-test";
const asking = { max_tokens: 3, messages: [{ role: "user" as const, content: "Hello" }] };

let stage: Stage;

beforeAll(async () => {
  const hash = createHash("sha256").update(KEY).digest("hex");
  stage = await openStage({ ALLOW_ANONYMOUS: "false", API_KEYS: { [hash]: { name: "test" } } });
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("@anthropic-ai/sdk $version", ({ version, Anthropic }) => {
  it.each([
    { how: "apiKey, which the one generation sends as x-api-key and the other as a bearer", apiKey: KEY },
    { how: "authToken", authToken: KEY },
    { how: "x-api-key", apiKey: null, defaultHeaders: { "x-api-key": KEY } },
  ])("is let in by its key as $how", async ({ how: _how, ...key }) => {
    const client = new Anthropic({ baseURL: stage.url, maxRetries: 0, ...key });
    expect((await client.messages.create({ model: "sim/chat", ...asking })).stop_reason).toBe("max_tokens");
  });

  it.each([
    { how: "apiKey", apiKey: "sk-wrong" },
    { how: "authToken", authToken: "sk-wrong" },
  ])("gets an AuthenticationError with a wrong $how, and neither repeats it nor reaches the origin", async (key) => {
    const model = `sim/chat?key=wrong-${key.how}-${version}`;
    const { how: _how, ...wrong } = key;
    const client = new Anthropic({ baseURL: stage.url, maxRetries: 2, ...wrong });
    const error = await failureOf(client.messages.create({ model, ...asking, stream: true }));
    expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(error).toMatchObject({ status: 401, error: { error: { type: "authentication_error" } } });
    expect(stage.asked(model)).toEqual([]);
  });
});
