import assert from "node:assert/strict";
import { eventsOf, post, streamOf } from "../gateway.ts";
import type { SimulatedStop } from "../stop.ts";

/** What a tokenizer makes of "Tell me": vLLM's own route takes ids and gives ids. */
const PROMPT_IDS = [54, 71, 78, 78, 223, 79, 71];
const WORDS = 24;

interface GenerateChunk {
  readonly choices: readonly { readonly token_ids: readonly number[]; readonly finish_reason?: string | null }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly error?: { readonly message: string };
}

/** Token ids go in, token ids come out, and the usage at the end is the number of both. */
export const generate: SimulatedStop = {
  title: "Tokens in, tokens out",
  where: "simulated origin",
  async run(gateway, screen, sim) {
    screen.note(`POST /inference/v1/generate  {"token_ids": [${PROMPT_IDS.join()}], "stream": true, …}`);
    const response = await post(gateway, "/inference/v1/generate", {
      token_ids: PROMPT_IDS,
      sampling_params: { max_tokens: WORDS },
      stream: true,
      stream_options: { include_usage: true },
    });
    const ids: number[] = [];
    const finishes: string[] = [];
    let usage;
    let last = "";
    for await (const data of eventsOf(await streamOf(response))) {
      last = data;
      if (data === "[DONE]") continue;
      const chunk: GenerateChunk = JSON.parse(data);
      assert.equal(chunk.error, undefined, `the stream failed: ${chunk.error?.message}`);
      for (const { token_ids: more, finish_reason: finish } of chunk.choices) {
        if (ids.length === 0)
          assert.equal(sim.requests().at(-1)?.ended, "open", "the first id was held until the origin had finished");
        ids.push(...more);
        if (finish) finishes.push(finish);
        screen.piece(more.map((id) => `${id} `).join(""));
      }
      usage = chunk.usage ?? usage;
    }
    assert.equal(last, "[DONE]", "the stream ended without [DONE]");
    assert.deepEqual(finishes, ["length"], `the answer finished with ${finishes.join() || "nothing"}`);
    assert.equal(usage?.prompt_tokens, PROMPT_IDS.length, "the usage counts another prompt");
    assert.equal(usage?.completion_tokens, ids.length, "the usage counts other tokens than came");
    screen.seen(`${usage?.prompt_tokens} ids in, ${ids.length} ids out, finish: ${finishes.join()}`);
  },
};
