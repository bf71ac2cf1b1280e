/** A whole answer out of an origin's stream: the events that a client of the stream would have had, folded. */
import { GatewayError } from "../core/errors.ts";
import type { Machine } from "../core/machine.ts";
import { Accumulation, type WholeOfEvents } from "../events/accumulate.ts";
import type { StreamEvent } from "../events/event.ts";
import type { EventSource } from "../protocols/protocol.ts";
import type { Frame } from "../sse/frame.ts";
import { Deadlines } from "../stream/deadlines.ts";
import { afterBreak, Inlet } from "../stream/inlet.ts";
import { GRACE_MS } from "../stream/pump.ts";
import { tooLate, tooLong, type WholeParts } from "./whole.ts";

/** How long the answer waits for its origin to end its body after the terminator. */
const DRAIN_MS = 100;

export interface FoldParts extends WholeParts {
  readonly parser: Machine<Uint8Array, Frame>;
  readonly events: EventSource;
}

/**
 * Returns the whole answer. Throws what the stream fails with, `origin_timeout` after `answerTimeoutMs` in all or
 * `firstEventTimeoutMs` without a first word or `idleTimeoutMs` without a further one, and `origin_protocol` for more than
 * `maxResponseBytes` of what is kept.
 */
export async function fold(parts: FoldParts): Promise<WholeOfEvents> {
  const { source, parser, events, limits, clock } = parts;
  const answer = new Accumulation();
  const inlet = new Inlet(parts.free);
  const late = Promise.withResolvers<"grace">();
  const deadlines = new Deadlines<"answer" | "silence" | "grace">(clock, (name) => {
    if (name === "grace") late.resolve(name);
    else late.reject(tooLate());
  });

  function keep(made: readonly StreamEvent[]): void {
    for (const event of made) answer.push(event);
    if (answer.length > limits.maxResponseBytes) throw tooLong();
  }

  function take(frames: readonly (Frame | GatewayError)[]): void {
    for (const frame of frames) {
      if (frame instanceof GatewayError) throw frame;
      const before = events.phase;
      const made = events.push(frame);
      keep(made);
      // What says nothing is no progress, as in a stream.
      if (made.length > 0 && events.phase !== "opening") deadlines.set("silence", limits.idleTimeoutMs);
      if (events.phase === "settling") {
        // Nothing is owed any more but usage and the terminator.
        deadlines.clear("silence");
        if (before !== "settling") deadlines.set("grace", GRACE_MS);
      }
      if (events.phase === "done") return;
    }
  }

  async function read(): Promise<void> {
    inlet.open(await source);
    parts.onHead();
    deadlines.set("silence", limits.firstEventTimeoutMs);
    while (events.phase !== "done") {
      const { done, value } = await inlet.read().catch((cause: unknown) => afterBreak(cause, events.phase));
      take(done ? parser.end() : parser.push(value));
      if (done) return;
    }
    // Normally the end comes at once, and the connection can be used again.
    deadlines.set("grace", DRAIN_MS);
    await inlet.drain();
  }

  deadlines.set("answer", limits.answerTimeoutMs);
  try {
    await Promise.race([read(), late.promise]);
    if (events.phase !== "done") keep(events.end());
    return answer.end();
  } finally {
    deadlines.stop();
    inlet.release();
  }
}
