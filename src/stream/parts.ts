import type { Clock } from "../core/clock.ts";
import type { Answer, Machine } from "../core/machine.ts";

/** All in milliseconds; 0 turns a timer off. */
export interface StreamLimits {
  /** How long the response head waits for the first word. */
  readonly holdMs: number;
  readonly keepAliveMs: number;
  readonly firstEventTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly clientStallTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

export interface PumpParts<Frame> {
  /** The origin's body; rejects with what went wrong before there was one. */
  readonly source: Promise<ReadableStream<Uint8Array>>;
  readonly parser: Machine<Uint8Array, Frame>;
  readonly answer: Answer<Frame>;
  readonly writable: WritableStream<Uint8Array>;
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
  /** Closes the origin's request, in whatever state it is. */
  readonly free: () => void;
  readonly limits: StreamLimits;
  readonly clock: Clock;
}
