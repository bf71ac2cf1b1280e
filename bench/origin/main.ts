/** The origin's process. */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { answerCalls } from "../process/calls.ts";
import { Ledger, type Visit } from "./ledger.ts";
import { listOf, serveConnection } from "./serve.ts";

const ledger = new Ledger();

/** How long a connection must have taken nothing before it counts as full. */
const NO_PROGRESS_MS = 2_000;
const LOOK_MS = 100;

interface Far {
  readonly far: "arrivedAt" | "closedAt";
  readonly tags: readonly string[];
  readonly withinMs: number;
}

const calls = {
  /** Listens, on a free port where 0 is asked for, and says which. `models` are those that it lists. */
  async listen({ port, models }: { port: number; models: readonly string[] }): Promise<number> {
    const list = listOf(models);
    const server = createServer((socket) => serveConnection(socket, { ledger, list }));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address: AddressInfo | string | null = server.address();
    if (address === null || typeof address === "string") throw new Error("the origin has no port");
    return address.port;
  },

  /** What became of tagged requests once all have come, or once all their connections are closed; or after `withinMs`. */
  when({ far, tags, withinMs }: Far): Promise<(Visit | null)[]> {
    return ledger.when(far, tags, withinMs);
  },

  /** How many bytes of a tagged answer were taken by the time no more were. */
  async whenFull({ tag }: { tag: string }): Promise<number> {
    let taken = -1;
    for (let quietMs = 0; quietMs < NO_PROGRESS_MS; quietMs += LOOK_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const entry = ledger.get(tag);
      if (entry === undefined) throw new Error("the request has not come");
      if (entry.taken() !== taken) quietMs = 0;
      taken = entry.taken();
    }
    return taken;
  },
};

export type OriginCalls = typeof calls;
answerCalls(calls);
