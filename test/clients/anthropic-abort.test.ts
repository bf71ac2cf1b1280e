/** An application that stops listening stops the GPU, in whatever way Anthropic's SDK lets it stop. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENERATIONS, type AnthropicClient } from "./support/anthropic.ts";
import { failureOf } from "./support/failure.ts";
import { openStage, type Stage } from "./support/stage.ts";

const asking = { max_tokens: 4_000, messages: [{ role: "user" as const, content: "Tell me a long story." }] };

let stage: Stage;

beforeAll(async () => {
  // fetch closes its connection with a FIN, which workerd sees when it writes: a keep-alive is what makes it write.
  stage = await openStage({ HOLD_MS: 200, KEEPALIVE_MS: 200, ANSWER_TIMEOUT_MS: 1_000 });
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("@anthropic-ai/sdk $version", ({ version, Anthropic }) => {
  let client: AnthropicClient;

  beforeAll(() => {
    client = new Anthropic({ baseURL: stage.url, apiKey: "unused", maxRetries: 0 });
  });

  const slow = (key: string): string => `sim/chat?pace_ms=30&prefill_ms=0&words=2000&key=${key}-${version}`;

  it("closes the origin's request when the loop over a stream is left", async () => {
    const model = slow("break");
    for await (const { type } of await client.messages.create({ ...asking, model, stream: true }))
      if (type === "content_block_delta") break;
    expect((await stage.closed(model)).frames).toBeLessThan(1_000);
  });

  it("closes the origin's request on controller.abort(), and the loop ends without an error", async () => {
    const model = slow("controller");
    const stream = await client.messages.create({ ...asking, model, stream: true });
    const seen: string[] = [];
    for await (const { type } of stream) {
      seen.push(type);
      if (type === "content_block_delta") stream.controller.abort();
    }
    expect(seen).toContain("content_block_delta");
    expect(seen).not.toContain("message_stop");
    expect((await stage.closed(model)).frames).toBeLessThan(1_000);
  });

  it("closes the origin's request when its helper is aborted", async () => {
    const model = slow("helper");
    const stream = client.messages.stream({ ...asking, model });
    stream.once("text", () => stream.abort());
    expect(await failureOf(stream.finalMessage())).toBeInstanceOf(Anthropic.APIUserAbortError);
    await stage.closed(model);
  });

  it("closes the origin's request when its signal is aborted before the first token", async () => {
    const model = `sim/chat?prefill_ms=60000&key=prefill-${version}`;
    const leaving = new AbortController();
    // The head comes when the hold ends; of the answer there is nothing yet.
    const stream = await client.messages.create({ ...asking, model, stream: true }, { signal: leaving.signal });
    leaving.abort();
    expect(await Array.fromAsync(stream)).toEqual([]);
    await stage.closed(model);
  });

  // There is nothing to write before a whole answer, so nothing tells of the FIN: the answer's timeout is what ends it.
  it("closes the origin's request of a whole answer by its timeout, and is told of its own abort at once", async () => {
    const model = `sim/chat?head_ms=60000&key=whole-${version}`;
    const leaving = new AbortController();
    const failure = failureOf(client.messages.create({ ...asking, model }, { signal: leaving.signal }));
    await expect.poll(() => stage.asked(model), { timeout: 5_000 }).toHaveLength(1);
    leaving.abort();
    expect(await failure).toBeInstanceOf(Anthropic.APIUserAbortError);
    await stage.closed(model);
  });
});
