/**
 * A client of another operation than chat that leaves frees the origin, in every state: at once when it resets its
 * connection, with the next keep-alive when it goes politely.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSim, type RecordedRequest, type Sim } from "../../sim/server.ts";
import { send, type Client } from "../support/client.ts";
import { eventually, startWorker, type Worker } from "../support/worker.ts";

const OPERATIONS = [
  {
    path: "/v1/completions",
    body: (user: string) => ({ user, prompt: "Hello", max_tokens: 4_000 }),
    said: '"text":"',
  },
  {
    path: "/inference/v1/generate",
    body: (user: string) => ({ user, token_ids: [40, 41], sampling_params: { max_tokens: 4_000 } }),
    said: '"token_ids":[',
  },
  {
    path: "/v1/messages",
    body: (user: string) => ({
      max_tokens: 4_000,
      messages: [{ role: "user", content: "Hello" }],
      chat_template_kwargs: { user },
    }),
    said: '"text_delta"',
  },
];

interface State {
  readonly name: string;
  readonly model: string;
  readonly whole?: true;
  readonly reach: (client: Client, record: RecordedRequest, said: string) => Promise<unknown>;
}

const STATES: readonly State[] = [
  { name: "while it waits for the head", model: "sim/silent", reach: async () => {} },
  { name: "while it waits for a whole answer", model: "sim/silent", whole: true, reach: async () => {} },
  {
    name: "in the prefill",
    model: "sim/chat?prefill_ms=60000",
    reach: (_, record) => eventually(() => record.firstByteAt ?? undefined),
  },
  {
    name: "in the stream, while tokens flow",
    model: "sim/chat?words=4000&pace_ms=5",
    reach: (client, _, said) => client.until(said),
  },
  {
    name: "in the stream, while the origin is silent",
    model: "sim/stall",
    reach: (client, _, said) => client.until(said),
  },
];

let sim: Sim;
let worker: Worker;
let lively: Worker;

beforeAll(async () => {
  sim = await startSim({ pace: 0, models: STATES.map(({ model }) => model) });
  // Writes nothing of its own for a minute: what it notices sooner, it did not notice by writing.
  worker = await startWorker({ ORIGINS: [{ url: sim.url }], HOLD_MS: 60_000, KEEPALIVE_MS: 60_000 });
  lively = await startWorker({ ORIGINS: [{ url: sim.url }], HOLD_MS: 100, KEEPALIVE_MS: 100 });
});

afterAll(async () => {
  await Promise.all([worker.close(), lively.close()]);
  await sim.close();
});

describe.each(OPERATIONS)("a client of $path", ({ path, body, said }) => {
  async function leaves({ name, model, whole, reach }: State, way: "reset" | "leave", on: Worker): Promise<void> {
    const user = `${path} ${name} ${way}`;
    using client = await send(on.port, { path, body: { model, ...body(user), stream: whole !== true } });
    const record = await eventually(() => sim.requests().find((request) => request.body.includes(user)));
    await reach(client, record, said);
    expect(record.ended).toBe("open");
    client[way]();
    expect(await eventually(() => (record.ended === "open" ? undefined : record.ended))).toBe("closed");
    const line = await on.line(String(record.headers["x-request-id"]));
    expect(line).toMatchObject({ "sluice.ending": "client_left" });
  }

  for (const state of STATES) {
    it(`frees the origin when it resets its connection ${state.name}`, () => leaves(state, "reset", worker));
    // Before a whole answer there is nothing to write, and so a FIN is not seen.
    if (!state.whole) it(`frees the origin when it goes politely ${state.name}`, () => leaves(state, "leave", lively));
  }
});
