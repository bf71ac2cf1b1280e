import type { Limits } from "../config/config.ts";
import { GatewayError } from "../core/errors.ts";
import type { Answer, Machine, Phase } from "../core/machine.ts";

/** As long as a timer can be: a relayed answer has no keep-alive, so its head waits for the first byte. */
const NO_HOLD_MS = 2_147_483_647;

/** Returns the limits of a relayed answer: it may take as long as any whole answer may. */
export function relayLimits(limits: Limits): Limits {
  const { answerTimeoutMs: most, totalTimeoutMs: total } = limits;
  const shorter = total === 0 || most === 0 ? most + total : Math.min(most, total);
  return { ...limits, holdMs: NO_HOLD_MS, keepAliveMs: 0, firstEventTimeoutMs: most, totalTimeoutMs: shorter };
}

/** Bytes are their own frames. */
export const bytesAsFrames: Machine<Uint8Array, Uint8Array> = { push: (bytes) => [bytes], end: () => [] };

/**
 * Passes bytes as they come. There is no form for a failure inside JSON: the body is broken off, and never looks whole.
 * What does not begin and end as a JSON object or list does is none of vLLM's.
 */
export class RelayedAnswer implements Answer<Uint8Array> {
  phase: Phase = "opening";
  readonly tokens = undefined;
  #last = 0;

  push(bytes: Uint8Array): (Uint8Array | GatewayError)[] {
    const first = bytes.find(isVisible);
    if (first === undefined) return [bytes];
    if (this.phase === "opening" && !OPENING.has(first)) return [noJson()];
    this.phase = "open";
    this.#last = bytes.findLast(isVisible) ?? this.#last;
    return [bytes];
  }

  end(): (Uint8Array | GatewayError)[] {
    if (this.phase === "opening") return [noJson()];
    if (!CLOSING.has(this.#last)) return [new GatewayError("origin_cut", "The origin's answer broke off.")];
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

const SPACE = 0x20;
const OPENING = new Set([0x7b, 0x5b]); // { [
const CLOSING = new Set([0x7d, 0x5d]); // } ]

/** White space in JSON is the blank and three control characters. */
function isVisible(byte: number): boolean {
  return byte > SPACE;
}

function noJson(): GatewayError {
  return new GatewayError("origin_protocol", "The origin's answer is not JSON.");
}
