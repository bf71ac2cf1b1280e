import assert from "node:assert/strict";
import { chunksOf, postChat, streamOf, type Gateway } from "../gateway.ts";
import type { Screen } from "../screen.ts";
import type { SimulatedStop } from "../stop.ts";

/** A cut stream is never shown as finished, whichever way the origin went. */
export const cut: SimulatedStop = {
  title: "An origin that dies in the middle of its answer",
  where: "simulated origin",
  async run(gateway, screen) {
    await watch(gateway, screen, "sim/reset-mid", "the connection breaks");
    await watch(gateway, screen, "sim/eof-mid", "the stream just ends, as if all were well");
  },
};

async function watch(gateway: Gateway, screen: Screen, model: string, how: string): Promise<void> {
  screen.note(`POST /v1/chat/completions  {"model": "${model}", "stream": true, …}: ${how}`);
  const messages = [{ role: "user", content: "What does a sluice do?" }];
  const response = await postChat(gateway, { model, stream: true, messages });
  let tokens = 0;
  let error;
  for await (const chunk of chunksOf(await streamOf(response))) {
    assert.equal(error, undefined, "something came between the error and [DONE]");
    error = chunk.error;
    for (const { delta, finish_reason: finish } of chunk.choices ?? []) {
      assert.ok(!finish, `the cut answer was shown as finished: ${finish}`);
      if (!delta.content) continue;
      tokens += 1;
      screen.piece(delta.content);
    }
  }
  assert.ok(tokens > 0, "no token came before the end");
  assert.ok(error, "the answer ended without a finish and without an error");
  assert.equal(error.code, "origin_cut", `the error is ${error.code}`);
  screen.piece(`\ndata: ${JSON.stringify({ error: { code: error.code, message: error.message } })}\n`);
  screen.seen(`${tokens} tokens, then the error in the stream, and no finish`);
}
