import { GatewayError } from "../core/errors.ts";
import type { Machine, Phase, Tokens } from "../core/machine.ts";
import type { Chunk } from "./chunk.ts";

/** Turns the chunks that an origin sends into those that a client should have had. */
export interface Repair extends Machine<Chunk, Chunk> {
  readonly phase: Exclude<Phase, "done">;
  /** For the log; `undefined` while nothing is known. */
  readonly tokens: Tokens | undefined;
  /** For the log: why each choice ended, in the order of their indices, as far as they have. */
  readonly finishReasons: readonly string[];
  /** Returns what the origin's terminator brings about: all that is still missing, each in its place. */
  terminate(): (Chunk | GatewayError)[];
}

/** A stream that ended before every expected choice had finished. */
export function cutStream(): GatewayError {
  return new GatewayError("origin_cut", "The origin's stream ended before the answer was complete.");
}

/** A stream that ended without a single choice in it: some servers fail that way. */
export function emptyStream(): GatewayError {
  return new GatewayError("origin_protocol", "The origin's stream held no answer.");
}
