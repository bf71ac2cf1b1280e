/** A client that leaves completions or generate frees the engine of a real vLLM, too. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Json } from "../support/chat-records.ts";
import { eventually } from "../support/worker.ts";
import { COMPLETIONS, completion, dictate, GENERATE, generation } from "./support/operations.ts";
import { say } from "./support/requests.ts";
import { engineWith, openStage, type Stage } from "./support/stage.ts";

const { dialect } = inject("vllm");

/** Takes half a minute: an engine that is free sooner was freed. */
const TOKENS = 600;
const DELAY_MS = 50;

interface Operation {
  readonly path: string;
  readonly long: Json;
  readonly short: Json;
  /** What the stream says first. */
  readonly sign: string;
}

const OPERATIONS: readonly Operation[] = [
  {
    path: COMPLETIONS,
    long: completion({ ...say("word ".repeat(TOKENS), DELAY_MS), max_tokens: TOKENS }),
    short: completion({ ...say("ok"), stream: false }),
    sign: '"text":"w',
  },
  {
    path: GENERATE,
    long: generation({ ...dictate(Array<number>(TOKENS).fill(70), DELAY_MS), max_tokens: TOKENS }),
    short: generation(dictate([70, 2]), { stream: false }),
    sign: '"token_ids":[70]',
  },
];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(OPERATIONS)(`the engine behind the ${dialect} front end is free again, $path:`, (operation) => {
  const { path, long, short, sign } = operation;

  it.each([
    { name: "the client resets in mid-stream", stream: true, politely: false, state: "streaming" },
    { name: "the client leaves politely in mid-stream", stream: true, politely: true, state: "streaming" },
    { name: "the client resets while it waits for a whole answer", stream: false, politely: false, state: "waiting" },
  ])("$name", async ({ stream, politely, state }) => {
    const before = await engineWith(0);
    const seen = stage.worker.lines.length;
    using client = await stage.send({ ...long, stream }, path);
    if (stream) await client.until(sign);
    await engineWith(1);
    if (politely) client.leave();
    else client.reset();
    const line = await eventually(() => stage.worker.lines[seen]);
    expect(line).toMatchObject({ "sluice.ending": "client_left", "sluice.stage": state });
    // The engine takes the next request, and after that has counted anew.
    expect((await stage.ask(short, path)).status).toBe(200);
    const after = await engineWith(0);
    expect(after.tokens - before.tokens).toBeLessThan(TOKENS / 2);
  });
});
