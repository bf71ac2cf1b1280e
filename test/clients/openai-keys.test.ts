/** The door, as the `openai` package meets it. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf } from "./support/failure.ts";
import { GENERATIONS } from "./support/openai.ts";
import { openStage, type Stage } from "./support/stage.ts";

const KEY = "sk-a-key-of-a-test";
const messages = [{ role: "user" as const, content: "Hello" }];

let stage: Stage;

beforeAll(async () => {
  const hash = createHash("sha256").update(KEY).digest("hex");
  stage = await openStage({ ALLOW_ANONYMOUS: "false", API_KEYS: { [hash]: { name: "test" } } });
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("openai $version", ({ version, OpenAI }) => {
  it("is let in with its key", async () => {
    const client = new OpenAI({ baseURL: stage.baseURL, apiKey: KEY, maxRetries: 0 });
    const answer = await client.chat.completions.create({ model: "sim/chat", messages, max_tokens: 3 });
    expect(answer.choices[0]?.finish_reason).toBe("length");
  });

  it("gets an AuthenticationError with a wrong key, and neither repeats it nor reaches the origin", async () => {
    const model = `sim/chat?key=wrong-${version}`;
    const client = new OpenAI({ baseURL: stage.baseURL, apiKey: "sk-wrong", maxRetries: 2 });
    const error = await failureOf(client.chat.completions.create({ model, messages, stream: true }));
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: "invalid_api_key", type: "authentication_error" });
    expect(stage.asked(model)).toEqual([]);
  });
});
