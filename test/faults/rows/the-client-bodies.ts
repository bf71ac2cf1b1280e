import { expect } from "vitest";
import { send, type Client, type Sending } from "../../support/client.ts";
import { eventually } from "../../support/worker.ts";
import { expectNoLeak } from "../support/leaks.ts";
import type { Case, Rows } from "../support/row.ts";
import type { Stage } from "../support/stage.ts";

interface Refused {
  readonly it: string;
  readonly sending: Sending;
  /** What the client does once its head has gone out. */
  readonly next?: (client: Client) => void;
  readonly status: number;
  readonly code: string;
}

/** A body that is refused before any origin hears of it. */
function refused({ it, sending, next, status, code }: Refused): Case {
  const run = async (stage: Stage): Promise<void> => {
    using client = await send(stage.worker("strict").port, sending);
    next?.(client);
    const head = await client.head();
    const body = await client.text();
    expectNoLeak({ headers: head.headers, body }, stage.deaf.port);
    expect({ status: head.status, ...JSON.parse(body) }).toMatchObject({ status, error: { code } });
    expect(stage.deaf.requests()).toEqual([]);
  };
  return { it, on: "strict", run };
}

const START = '{"model":"sim/chat","messages":[';
const LARGE = `${START}{"role":"user","content":"${"x".repeat(100_000)}"}]}`;

export const rows: Rows = {
  "body-slow": [
    refused({
      it: "the client gets 408, and the origin hears nothing",
      sending: { headers: { "content-length": "1000" }, body: START },
      next: trickle,
      status: 408,
      code: "request_timeout",
    }),
  ],
  "body-cut": [
    refused({
      it: "a client that stops sending gets 400, and the origin hears nothing",
      sending: { headers: { "content-length": "1000" }, body: START },
      next: (client) => client.halfClose(),
      status: 400,
      code: "invalid_request",
    }),
    {
      it: "a client that leaves gets nothing, and the origin hears nothing",
      on: "strict",
      run: async (stage) => {
        const { port, lines } = stage.worker("strict");
        using client = await send(port, { headers: { expect: "100-continue", "content-length": "1000" }, body: START });
        // The runtime says so once the Worker reads.
        expect((await client.head()).status).toBe(100);
        client.reset();
        await eventually(() =>
          lines.find((line) => line["sluice.ending"] === "client_left" && line["sluice.stage"] === "reading"),
        );
        expect(stage.deaf.requests()).toEqual([]);
      },
    },
  ],
  "body-huge": [
    refused({
      it: "the client gets 413 when it announces the length",
      sending: { body: LARGE },
      status: 413,
      code: "request_too_large",
    }),
    refused({
      it: "the client gets 413 when it does not",
      sending: {
        headers: { "transfer-encoding": "chunked" },
        body: `${LARGE.length.toString(16)}\r\n${LARGE}\r\n0\r\n\r\n`,
      },
      status: 413,
      code: "request_too_large",
    }),
  ],
  "body-bomb": [
    refused({
      it: "the client gets 415 for a compressed body, and the origin hears nothing",
      sending: { headers: { "content-encoding": "gzip" }, body: "\u001f\u008b" },
      status: 415,
      code: "unsupported_media_type",
    }),
  ],
};

/** A byte now and then, until the connection ends. */
function trickle(client: Client): void {
  const timer = setInterval(() => void client.write(" "), 50);
  void client.head().finally(() => clearInterval(timer));
}
