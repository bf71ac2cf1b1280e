/** A client that leaves frees the engine of a real vLLM. The engine's own count of its requests is the witness. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/worker.ts";
import { chat, NO_THINKING, say } from "./support/requests.ts";
import { engineWith, openStage, type Stage } from "./support/stage.ts";

const { dialect } = inject("vllm");

const WORDS = 600;
const LONG = "word ".repeat(WORDS);
const KEEPALIVES = ": keepalive\n\n".repeat(3);

interface Going {
  readonly name: string;
  readonly delayMs: number;
  readonly stream: boolean;
  /** Waits for the state in which the client goes. */
  readonly reach: (client: Client) => Promise<unknown>;
  readonly go: (client: Client) => void;
  /** What the Worker logs of the state; both front ends send the head of a stream at once. */
  readonly state: string;
}

const reset = (client: Client): void => client.reset();
const leave = (client: Client): void => client.leave();
const words = async (client: Client): Promise<void> => {
  await client.until("word");
  await engineWith(1);
};
/** Long before the first word; the engine tells no count of its requests before that. */
const keepAlives = (client: Client): Promise<string> => client.until(KEEPALIVES);

const GOINGS: readonly Going[] = [
  { name: "resets in mid-stream", delayMs: 50, stream: true, reach: words, go: reset, state: "streaming" },
  { name: "leaves politely in mid-stream", delayMs: 50, stream: true, reach: words, go: leave, state: "streaming" },
  {
    name: "resets before the first word",
    delayMs: 2_000,
    stream: true,
    reach: keepAlives,
    go: reset,
    state: "prefill",
  },
  {
    name: "leaves politely before the first word",
    delayMs: 2_000,
    stream: true,
    reach: keepAlives,
    go: leave,
    state: "prefill",
  },
  {
    name: "resets while it waits for a whole answer",
    delayMs: 50,
    stream: false,
    reach: () => engineWith(1),
    go: reset,
    state: "waiting",
  },
];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ HOLD_MS: 100, KEEPALIVE_MS: 100 });
});

afterAll(() => stage[Symbol.asyncDispose]());

describe(`the engine behind the ${dialect} front end is free again once its client`, () => {
  it.each(GOINGS)("$name", async ({ delayMs, stream, reach, go, state }) => {
    const before = await engineWith(0);
    const seen = stage.worker.lines.length;
    using client = await stage.send(chat({ stream, ...say(LONG, delayMs), ...NO_THINKING }));
    await reach(client);
    go(client);
    const line = await eventually(() => stage.worker.lines[seen]);
    expect(line).toMatchObject({ "sluice.ending": "client_left", "sluice.stage": state });
    // The engine takes the next request, and after that has counted anew.
    const answer = await stage.ask(chat({ ...say("ok"), ...NO_THINKING, stream: false }));
    expect(JSON.parse(answer.text)).toMatchObject({ choices: [{ message: { content: "ok" } }] });
    const after = await engineWith(0);
    // One that had merely been fast would have made them all.
    expect(after.tokens - before.tokens).toBeLessThan(WORDS / 2);
  });
});
