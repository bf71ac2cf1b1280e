/** Clients that ask one request after the other, and the times of what they got. */
import { setTimeout as sleep } from "node:timers/promises";
import { now } from "../clock.ts";
import { Connection } from "./connection.ts";
import type { Exchange } from "./exchange.ts";
import { toBytes, type Post, type Target } from "./target.ts";

export interface Load {
  readonly target: Target;
  readonly post: Post;
  readonly clients: number;
  /** Requests of each client, the next as soon as the last has been answered. */
  readonly requests: number;
  /** Milliseconds between the starts of two clients, so that they do not move in step. */
  readonly stagger: number;
  /** Whether the time between events is wanted. */
  readonly gaps: boolean;
  /** What a whole stream has; where it is not known every number is right. */
  readonly events?: number;
  /** An answer that is no stream. */
  readonly whole?: boolean;
}

/** All times in milliseconds. */
export interface Timed {
  /** From a request's last byte to its first event, or to its whole answer. */
  readonly waits: number[];
  readonly gaps: number[];
  readonly tookMs: number;
  /** Answers, and what was wrong with the first that was not right. */
  readonly answers: number;
  readonly flaw?: string;
}

export async function runLoad(load: Load): Promise<Timed> {
  const request = toBytes(load.target, load.post);
  const waits: number[] = [];
  const gaps: number[] = [];
  let flaw: string | undefined;
  const start = now();

  const client = async (number: number): Promise<void> => {
    await sleep(number * load.stagger);
    let connection = await Connection.open(load.target);
    for (let count = 0; count < load.requests && flaw === undefined; count += 1) {
      if (count > 0 && !connection.usable) connection = await Connection.open(load.target);
      const exchange = connection.send(request, load.gaps);
      await connection.until(() => false);
      flaw ??= load.whole ? exchange.broken : exchange.flawOfStream(load.events);
      note(exchange);
    }
    connection.leave("FIN");
  };
  const note = (exchange: Exchange): void => {
    const first = load.whole ? exchange.endedAt : exchange.eventsAt[0];
    if (first !== undefined) waits.push(first - exchange.sentAt);
    if (!load.gaps) return;
    for (const [at, time] of exchange.eventsAt.slice(1).entries()) gaps.push(time - (exchange.eventsAt[at] ?? time));
  };

  await Promise.all(Array.from({ length: load.clients }, (_, number) => client(number)));
  const answers = load.clients * load.requests;
  return { waits, gaps, tookMs: now() - start, answers, ...(flaw !== undefined && { flaw }) };
}
