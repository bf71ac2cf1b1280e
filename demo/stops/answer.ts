import assert from "node:assert/strict";
import { chunksOf, postChat, streamOf } from "../gateway.ts";
import type { AnywhereStop } from "../stop.ts";

/** An answer is seen while it is being made, and says at the end what it cost. */
export const answer: AnywhereStop = {
  title: "An answer, as it comes",
  where: "anywhere",
  async run(gateway, screen, sim) {
    screen.note('POST /v1/chat/completions  {"stream": true, "stream_options": {"include_usage": true}, …}');
    const sentAt = performance.now();
    const response = await postChat(gateway, {
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 80,
      messages: [{ role: "user", content: "What does a sluice do?" }],
    });
    let firstAt: number | undefined;
    let tokens = 0;
    const finishes: string[] = [];
    let usage;
    for await (const chunk of chunksOf(await streamOf(response))) {
      assert.equal(chunk.error, undefined, `the stream failed: ${chunk.error?.message}`);
      for (const { delta, finish_reason: finish } of chunk.choices ?? []) {
        const text = delta.content || delta.reasoning || "";
        if (text !== "") {
          firstAt ??= performance.now();
          tokens += 1;
          if (tokens === 1 && sim) {
            assert.equal(
              sim.requests().at(-1)?.ended,
              "open",
              "the first token was held until the origin had finished",
            );
          }
          screen.piece(text);
        }
        if (finish) finishes.push(finish);
      }
      if (chunk.usage) {
        assert.equal(finishes.length, 1, "the usage came before the finish");
        usage = chunk.usage;
      }
    }
    const endedAt = performance.now();
    assert.ok(firstAt !== undefined && tokens > 1, `the answer came in ${tokens} piece(s)`);
    assert.equal(finishes.length, 1, `the answer finished ${finishes.length} times`);
    assert.ok(
      usage && usage.prompt_tokens > 0 && usage.completion_tokens > 0,
      "the usage that was asked for is missing",
    );
    screen.seen(
      `first token after ${ms(firstAt - sentAt)}, the last after ${ms(endedAt - sentAt)}, finish: ${finishes.join()}`,
    );
    screen.seen(`usage: ${usage.prompt_tokens} tokens of prompt, ${usage.completion_tokens} of answer`);
  },
};

function ms(duration: number): string {
  return `${Math.round(duration)} ms`;
}
