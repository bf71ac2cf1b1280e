/** A streaming client that leaves frees the origin, in every state. The origin's own record is the witness. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatRequest, KEEPALIVE, ROLE, WORD } from "../support/chat-frames.ts";
import { send, type Client } from "../support/client.ts";
import { startOrigin, type Origin, type OriginRequest } from "../support/origin.ts";
import { startWorker, type LogLine, type Worker } from "../support/worker.ts";

const COMMENTS = ": processing\n\n".repeat(16_384);

/** A state that a stream can be in, reached by what the two ends do, with the Worker's word for it. */
interface State {
  readonly name: string;
  readonly stage: string;
  readonly reach: (request: OriginRequest, client: Client) => Promise<unknown>;
}

const STATES: readonly State[] = [
  { name: "waiting for the origin's head", stage: "waiting", reach: async () => {} },
  {
    name: "in the prefill, while the origin sends comments",
    stage: "prefill",
    reach: async (request) => {
      // More than every buffer on the way holds: once it is written, the Worker reads the body and so has seen the head.
      for (let sent = 0; sent < 16_777_216; sent += COMMENTS.length) await request.write(COMMENTS);
      void keepSending(request, ": processing\n\n");
    },
  },
  {
    name: "in the stream, while bytes flow",
    stage: "streaming",
    reach: async (request, client) => {
      await request.write(ROLE + WORD);
      await client.until(WORD);
      void keepSending(request, WORD);
    },
  },
  {
    name: "in the stream, while the origin is silent",
    stage: "streaming",
    reach: async (request, client) => {
      await request.write(ROLE + WORD);
      await client.until(WORD);
    },
  },
];

/** States that are only reached once the hold is over. */
const AFTER_THE_HOLD: readonly State[] = [
  {
    name: "waiting for the origin's head, while keep-alives flow",
    stage: "waiting",
    reach: (_, client) => client.until(KEEPALIVE + KEEPALIVE),
  },
  {
    name: "in the prefill, while keep-alives flow",
    stage: "prefill",
    reach: (request, client) => {
      request.head();
      return client.until(KEEPALIVE + KEEPALIVE);
    },
  },
];

async function keepSending(request: OriginRequest, frame: string): Promise<void> {
  while (!request.over) {
    await request.write(frame);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

let origin: Origin;
/** Says nothing of its own for a minute: what it notices sooner, it did not notice by writing. */
let silent: Worker;
/** Writes a keep-alive every 300 ms: a polite leave shows when one is written. */
let lively: Worker;

beforeAll(async () => {
  origin = await startOrigin();
  const settings = { ORIGINS: [{ url: origin.url }] };
  [silent, lively] = await Promise.all([
    startWorker({ ...settings, HOLD_MS: 60_000, KEEPALIVE_MS: 60_000 }),
    startWorker({ ...settings, HOLD_MS: 300, KEEPALIVE_MS: 300 }),
  ]);
});

afterAll(async () => {
  await Promise.all([silent.close(), lively.close()]);
  await origin.close();
});

/** Returns the Worker's log line of the request that `request` came of. */
function lineOf(worker: Worker, request: OriginRequest): Promise<LogLine> {
  return worker.line(String(request.headers["x-request-id"]));
}

describe("a streaming client", () => {
  for (const { name, stage, reach } of STATES) {
    it(`frees the origin at once when it resets ${name}`, async () => {
      const mark = `rst ${name}`;
      using client = await send(silent.port, { body: chatRequest(mark, { stream: true }) });
      const request = await origin.request(mark);
      await reach(request, client);
      client.reset();
      expect(await request.closed).toBe("closed");
      expect(await lineOf(silent, request)).toMatchObject({ "sluice.ending": "client_left", "sluice.stage": stage });
    });
  }

  for (const { name, stage, reach } of AFTER_THE_HOLD) {
    it(`frees the origin when it resets ${name}`, async () => {
      const mark = `rst ${name}`;
      using client = await send(lively.port, { body: chatRequest(mark, { stream: true }) });
      const request = await origin.request(mark);
      await reach(request, client);
      client.reset();
      expect(await request.closed).toBe("closed");
      expect(await lineOf(lively, request)).toMatchObject({ "sluice.ending": "client_left", "sluice.stage": stage });
    });
  }

  for (const { name, stage, reach } of [...STATES, ...AFTER_THE_HOLD]) {
    it(`frees the origin by the next keep-alives when it leaves politely ${name}`, async () => {
      const mark = `fin ${name}`;
      using client = await send(lively.port, { body: chatRequest(mark, { stream: true }) });
      const request = await origin.request(mark);
      await reach(request, client);
      client.leave();
      expect(await request.closed).toBe("closed");
      expect(await lineOf(lively, request)).toMatchObject({ "sluice.ending": "client_left", "sluice.stage": stage });
    });
  }

  it("is logged once for each request", () => {
    const ids = [...silent.lines, ...lively.lines].map((line) => String(line["sluice.request.id"]));
    const asked = origin.requests.map(({ headers }) => String(headers["x-request-id"]));
    expect(ids.toSorted()).toEqual(asked.toSorted());
  });
});
