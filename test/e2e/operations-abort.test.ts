/** A client of completions or generate that resets its connection frees the origin, in every state and at once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSim, type RecordedRequest, type Sim } from "../../sim/server.ts";
import { send, type Client } from "../support/client.ts";
import { eventually, startWorker, type Worker } from "../support/worker.ts";

const OPERATIONS = [
  { path: "/v1/completions", body: { prompt: "Hello", max_tokens: 4_000 }, said: '"text":"' },
  {
    path: "/inference/v1/generate",
    body: { token_ids: [40, 41], sampling_params: { max_tokens: 4_000 } },
    said: '"token_ids":[',
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

beforeAll(async () => {
  sim = await startSim({ pace: 0, models: STATES.map(({ model }) => model) });
  // Writes nothing of its own for a minute: what it notices sooner, it did not notice by writing.
  worker = await startWorker({ ORIGINS: [{ url: sim.url }], HOLD_MS: 60_000, KEEPALIVE_MS: 60_000 });
});

afterAll(async () => {
  await worker.close();
  await sim.close();
});

describe.each(OPERATIONS)("a client of $path", ({ path, body, said }) => {
  for (const { name, model, whole, reach } of STATES) {
    it(`frees the origin when it resets its connection ${name}`, async () => {
      const user = `${path} ${name}`;
      using client = await send(worker.port, { path, body: { model, ...body, user, stream: whole !== true } });
      const record = await eventually(() => sim.requests().find((request) => request.body.includes(user)));
      await reach(client, record, said);
      expect(record.ended).toBe("open");
      client.reset();
      expect(await eventually(() => (record.ended === "open" ? undefined : record.ended))).toBe("closed");
      const line = await worker.line(String(record.headers["x-request-id"]));
      expect(line).toMatchObject({ ending: "client_left" });
    });
  }
});
