import { expect } from "vitest";
import type { Client } from "../../support/client.ts";
import { eventually } from "../../support/worker.ts";
import { DONE, KEEPALIVE } from "../support/chunks.ts";
import { expectFraming } from "../support/grammar.ts";
import { OPENAI, type OperationName } from "../support/operations.ts";
import type { Case, Rows } from "../support/row.ts";
import type { Stage, WorkerName } from "../support/stage.ts";
import { AnswerStream } from "../support/stream.ts";
import { rows as bodies } from "./the-client-bodies.ts";
import { ALL } from "./plain.ts";

type Way = "reset" | "leave";
const STREAMING: readonly OperationName[] = [...OPENAI, "messages"];
const WAYS: readonly Way[] = ["reset", "leave"];

interface Leaving {
  readonly model: string;
  readonly stage: string;
  readonly reach: (client: Client, operation: OperationName) => Promise<unknown>;
}

/** A client that has come as far as `reach` and leaves, by RST (seen at once) or by FIN (seen at the next keep-alive). */
function leaves({ model, stage: state, reach }: Leaving): Case[] {
  const leave = (operation: OperationName, way: Way): Case => {
    const on: WorkerName = way === "reset" ? "calm" : "lively";
    const run = async (stage: Stage): Promise<void> => {
      const { client, mark } = await stage.ask(on, model, { operation });
      using _ = client;
      await stage.record(mark);
      await reach(client, operation);
      client[way]();
      expect(await stage.ends(mark)).toEqual(["closed"]);
      expect(await stage.line(on, mark)).toMatchObject({
        "sluice.ending": "client_left",
        "sluice.operation": operation,
        "sluice.stage": state,
      });
    };
    return { it: `the origin is freed when a client of ${operation} leaves (${way})`, on, models: [model], run };
  };
  return STREAMING.flatMap((operation) => WAYS.map((way) => leave(operation, way)));
}

const THIRD: Partial<Record<OperationName, string>> = {
  chat: '"content":" on"',
  completions: '"text":" on"',
  generate: '"token_ids":[4006]',
  messages: '"text":" on"',
};

function reachThird(client: Client, operation: OperationName): Promise<string> {
  return client.until(THIRD[operation] ?? "");
}

export const rows: Rows = {
  "leave-waiting": leaves({ model: "sim/silent", stage: "waiting", reach: async () => {} }),
  "leave-prefill": WAYS.map((way) => ({
    it: `the origin is freed when a client leaves (${way})`,
    on: way === "reset" ? ("calm" as const) : ("lively" as const),
    run: (stage) => leavesInPrefill(stage, way),
  })),
  "leave-mid": [
    ...leaves({ model: "sim/stall", stage: "streaming", reach: reachThird }),
    ...leaves({ model: "sim/chat?words=4000&pace_ms=5", stage: "streaming", reach: reachThird }),
  ],
  "leave-full": [
    {
      it: "the origin is freed at once by RST",
      on: "calm",
      run: (stage) => leavesWhole(stage, { way: "reset", on: "calm", model: "sim/silent", ends: "closed" }),
    },
    {
      it: "by FIN it ends with our timeout",
      on: "hasty",
      run: (stage) => leavesWhole(stage, { way: "leave", on: "hasty", model: "sim/silent", ends: "closed" }),
    },
    {
      it: "by FIN it ends with the origin's answer",
      on: "calm",
      run: (stage) =>
        leavesWhole(stage, { way: "leave", on: "calm", model: "sim/chat?words=6&prefill_ms=300", ends: "finished" }),
    },
  ],
  "half-close": [
    {
      it: "the answer goes on",
      on: "lively",
      run: async (stage) => {
        const { client, mark } = await stage.ask("lively", "sim/chat?words=6&prefill_ms=500&pace_ms=50");
        using _ = client;
        client.halfClose();
        const stream = new AnswerStream(await client.text());
        expectFraming(stream);
        expect([stream.text(), stream.keepalives > 0]).toEqual([ALL, true]);
        expect(await stage.ends(mark)).toEqual(["finished"]);
      },
    },
  ],
  slow: [{ it: "the origin is slowed, and no timeout of ours fires", on: "hasty", run: readsSlowly }],
  "stop-reading": [
    {
      it: "the origin is slowed, and freed when the client goes",
      on: "calm",
      run: async (stage) => {
        const { client, mark } = await stage.ask("calm", "sim/long?events=1000000");
        using _ = client;
        await settledBytes(stage, mark);
        client.reset();
        expect(await stage.ends(mark)).toEqual(["closed"]);
      },
    },
    {
      it: "the client is given up when it takes nothing for too long",
      on: "impatient",
      run: async (stage) => {
        const { client, mark } = await stage.ask("impatient", "sim/long?events=1000000");
        using _ = client;
        expect(await stage.ends(mark)).toEqual(["closed"]);
        expect((await stage.record(mark)).bytes).toBeLessThan(BUFFERS);
        expect(await stage.line("impatient", mark)).toMatchObject({ "sluice.ending": "client_left" });
      },
    },
  ],
  "leave-at-done": WAYS.map((way) => ({
    it: `it is never taken for a fault of the origin (${way})`,
    on: "calm",
    run: async (stage) => {
      const { client, mark } = await stage.ask("calm", "sim/chat?words=6");
      using _ = client;
      await client.until('"finish_reason":"stop"');
      client[way]();
      await stage.ends(mark);
      expect(["finished", "client_left"]).toContain((await stage.line("calm", mark))["sluice.ending"]);
    },
  })),
  ...bodies,
};

async function leavesInPrefill(stage: Stage, way: Way): Promise<void> {
  const on = way === "reset" ? "calm" : "lively";
  const { client, mark } = await stage.ask(on, "sim/chat?prefill_ms=60000");
  using _ = client;
  const record = await stage.record(mark);
  await eventually(() => record.firstByteAt ?? undefined);
  client[way]();
  expect(await stage.ends(mark)).toEqual(["closed"]);
  // Whether the head had been read by then is not to be seen from outside.
  const { "sluice.ending": ending, "sluice.stage": state } = await stage.line(on, mark);
  expect(ending).toBe("client_left");
  expect(["waiting", "prefill"]).toContain(state);
}

interface LeavingWhole {
  readonly way: Way;
  readonly on: WorkerName;
  readonly model: string;
  readonly ends: "closed" | "finished";
}

async function leavesWhole(stage: Stage, { way, on, model, ends }: LeavingWhole): Promise<void> {
  const { client, mark } = await stage.ask(on, model, { request: { stream: false } });
  using _ = client;
  await stage.record(mark);
  client[way]();
  expect(await stage.ends(mark)).toEqual([ends]);
  const endings = way === "reset" ? ["client_left"] : ["finished", "failed"];
  expect(endings).toContain((await stage.line(on, mark))["sluice.ending"]);
}

/** More than all sockets on the way hold, and less than the origin would send. */
const BUFFERS = 40_000_000;

/** Waits until the origin gets rid of no more bytes, for a while. */
async function settledBytes(stage: Stage, mark: string): Promise<void> {
  const record = await stage.record(mark);
  let before = -1;
  while (record.bytes !== before) {
    before = record.bytes;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(record.ended).toBe("open");
  expect(record.bytes).toBeLessThan(BUFFERS);
}

const EVENTS = 60_000;

async function readsSlowly(stage: Stage): Promise<void> {
  const { client, mark } = await stage.ask("hasty", `sim/long?events=${EVENTS}`);
  using _ = client;
  await client.until('" 0"');
  // All this time the client takes next to nothing, longer than every timeout for silence.
  await settledBytes(stage, mark);
  await settledBytes(stage, mark);
  const body = await client.text();
  // One each 100 ms while nothing was taken would be more than ten in a row.
  expect(body).not.toContain(`${KEEPALIVE}\n\n`.repeat(10));
  expect(body.split(DONE).length - 1).toBe(1);
  expect(body.match(/"content":" \d+"/g)?.length).toBe(EVENTS);
  expect(await stage.ends(mark)).toEqual(["finished"]);
}
