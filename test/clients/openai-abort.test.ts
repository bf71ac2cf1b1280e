/** An application that stops listening stops the GPU, in whatever way the `openai` package lets it stop. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf } from "./support/failure.ts";
import { GENERATIONS, type OpenAIClient } from "./support/openai.ts";
import { openStage, type Stage } from "./support/stage.ts";

const messages = [{ role: "user" as const, content: "Tell me a long story." }];

let stage: Stage;

beforeAll(async () => {
  // fetch closes its connection with a FIN, which workerd sees when it writes: a keep-alive is what makes it write.
  stage = await openStage({ HOLD_MS: 200, KEEPALIVE_MS: 200, ANSWER_TIMEOUT_MS: 1_000 });
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("openai $version", ({ version, OpenAI }) => {
  let client: OpenAIClient;

  beforeAll(() => {
    client = new OpenAI({ baseURL: stage.baseURL, apiKey: "unused", maxRetries: 0 });
  });

  const slow = (key: string): string => `sim/chat?pace_ms=30&prefill_ms=0&words=2000&key=${key}-${version}`;

  it("closes the origin's request when the loop over a stream is left", async () => {
    const model = slow("break");
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    for await (const { choices } of stream) if (choices[0]?.delta.content) break;
    expect((await stage.closed(model)).frames).toBeLessThan(1_000);
  });

  it("closes the origin's request on controller.abort(), and the loop ends without an error", async () => {
    const model = slow("controller");
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    let text = "";
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? "";
      if (text !== "") stream.controller.abort();
    }
    expect(text).not.toBe("");
    expect((await stage.closed(model)).frames).toBeLessThan(1_000);
  });

  it("closes the origin's request when its signal is aborted before the first token", async () => {
    const model = `sim/chat?prefill_ms=60000&key=prefill-${version}`;
    const leaving = new AbortController();
    // The head comes when the hold ends; of the answer there is nothing yet.
    const stream = await client.chat.completions.create({ model, messages, stream: true }, { signal: leaving.signal });
    leaving.abort();
    expect(await Array.fromAsync(stream)).toEqual([]);
    await stage.closed(model);
  });

  // There is nothing to write before a whole answer, so nothing tells of the FIN: the answer's timeout is what ends it.
  it("closes the origin's request of a whole answer by its timeout, and is told of its own abort at once", async () => {
    const model = `sim/chat?head_ms=60000&key=whole-${version}`;
    const leaving = new AbortController();
    const failure = failureOf(client.chat.completions.create({ model, messages }, { signal: leaving.signal }));
    await expect.poll(() => stage.asked(model), { timeout: 5_000 }).toHaveLength(1);
    leaving.abort();
    expect(await failure).toBeInstanceOf(OpenAI.APIUserAbortError);
    await stage.closed(model);
  });
});
