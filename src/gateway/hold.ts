import type { Limits } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { Answer, Machine } from "../core/machine.ts";
import type { Ending } from "../stream/ending.ts";
import { Pump } from "../stream/pump.ts";
import type { Lifetime } from "./lifetime.ts";
import type { Record } from "./record.ts";

export interface HoldParts<Frame> {
  readonly source: Promise<ReadableStream<Uint8Array>>;
  readonly parser: Machine<Uint8Array, Frame>;
  readonly answer: Answer<Frame>;
  /** Returns the response around the client's body. */
  readonly respond: (body: ReadableStream<Uint8Array>, requestId: string) => Response;
  readonly lifetime: Lifetime;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly record: Record;
}

export interface Held {
  /** The stream's response; none when the request ended before its head could go out. */
  readonly response: Response | undefined;
  readonly ending: Promise<Ending>;
  /** Resolves when nothing of the stream is under way any more. */
  readonly settled: Promise<void>;
}

/**
 * Starts the pump and waits with the response head until the answer says something, fails, or `holdMs` is over: so a
 * failure that vLLM reports in a 200 still reaches the client as the status it is.
 */
export async function hold<Frame>(parts: HoldParts<Frame>): Promise<Held> {
  const { source, parser, answer, lifetime, limits, clock, record } = parts;
  const { readable, writable } = new IdentityTransformStream();
  const free = (): void => lifetime.free();
  const from = clock.now();
  const pump = new Pump({ source, parser, answer, writable, left: lifetime.left, free, limits, clock });
  const ending = pump.ending.then((end) => {
    Object.assign(record, pump.seen);
    if (answer.tokens) record.tokens = answer.tokens;
    if (answer.finishReasons) record.finishReasons = answer.finishReasons;
    return end;
  });
  const early = await pump.opened;
  if (early) return { response: undefined, ending, settled: pump.settled };
  record.status = 200;
  record.heldMs = clock.now() - from;
  return { response: parts.respond(readable, record.id), ending, settled: pump.settled };
}
