import type { Limits } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { Answer } from "../core/machine.ts";
import type { Frame } from "../sse/frame.ts";
import { SseParser } from "../sse/parse.ts";
import type { Ending } from "../stream/ending.ts";
import { Pump } from "../stream/pump.ts";
import type { Lifetime } from "./lifetime.ts";
import type { Record } from "./log.ts";
import { respondStream } from "./respond.ts";

export interface HoldParts {
  readonly source: Promise<ReadableStream<Uint8Array>>;
  readonly answer: Answer<Frame>;
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
export async function hold({ source, answer, lifetime, limits, clock, record }: HoldParts): Promise<Held> {
  const { readable, writable } = new IdentityTransformStream();
  const pump = new Pump({
    source,
    parser: new SseParser(limits.maxFrameBytes),
    answer,
    writable,
    left: lifetime.left,
    free: () => lifetime.free(),
    limits,
    clock,
  });
  const ending = pump.ending.then((end) => {
    Object.assign(record, pump.seen);
    if (answer.tokens) record.tokens = answer.tokens;
    return end;
  });
  const early = await pump.opened;
  if (early) return { response: undefined, ending, settled: pump.settled };
  record.status = 200;
  return { response: respondStream(readable, record.id), ending, settled: pump.settled };
}
