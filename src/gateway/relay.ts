import type { Limits } from "../config/config.ts";
import type { Answer, Machine, Phase } from "../core/machine.ts";

/** As long as a timer can be: a relayed answer has no keep-alive, so its head waits for the first byte. */
const NO_HOLD_MS = 2_147_483_647;

/** Returns the limits of a relayed answer: it may take as long to begin as a whole answer may take. */
export function relayLimits(limits: Limits): Limits {
  return { ...limits, holdMs: NO_HOLD_MS, keepAliveMs: 0, firstEventTimeoutMs: limits.answerTimeoutMs };
}

/** Bytes are their own frames. */
export const bytesAsFrames: Machine<Uint8Array, Uint8Array> = { push: (bytes) => [bytes], end: () => [] };

/** Passes bytes as they come. There is no form for a failure inside JSON: the body is broken off, and never looks whole. */
export class RelayedAnswer implements Answer<Uint8Array> {
  phase: Phase = "opening";
  readonly tokens = undefined;

  push(bytes: Uint8Array): Uint8Array[] {
    this.phase = "open";
    return [bytes];
  }

  end(): Uint8Array[] {
    this.phase = "done";
    return [];
  }

  fail(): undefined {
    return undefined;
  }

  /** Never asked for: relayed answers have none. */
  keepAlive(): Uint8Array {
    return new Uint8Array();
  }
}
