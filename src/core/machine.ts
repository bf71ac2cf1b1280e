import type { GatewayError } from "./errors.ts";

/**
 * A synchronous push function with state: no I/O, and clock and ids are passed in. Machines compose as plain calls.
 * An expected failure is an output, and it is the last one: a machine that has given a GatewayError gives nothing more.
 */
export interface Machine<Input, Output> {
  /** Returns what `input` brings about, in order; empty when nothing does yet. */
  push(input: Input): (Output | GatewayError)[];
  /** Returns what the end of the input brings about. Called once, after the last push. */
  end(): (Output | GatewayError)[];
}

/**
 * - `opening`: nothing has been said yet that commits us to an answer (a role-only chunk does not);
 * - `open`: the answer is under way;
 * - `settling`: every expected part has finished, only usage and the terminator may still come;
 * - `done`: the terminator has been written; nothing may follow it.
 */
export type Phase = "opening" | "open" | "settling" | "done";

/** Tokens of an answer, as far as the origin has told. */
export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
}

/**
 * The outermost machine of one streamed response: it alone knows what a failure or a keep-alive looks like in the
 * client's protocol. The pump obeys its phase.
 */
export interface Answer<Frame> extends Machine<Frame, Uint8Array> {
  readonly phase: Phase;
  /** For the log; `undefined` while nothing is known. */
  readonly tokens: Tokens | undefined;
  /** For the log: why each choice ended, in the order of their indices, as far as they have. None where there are no choices. */
  readonly finishReasons?: readonly string[];
  /** Returns the bytes that tell the client of `error` inside the stream and end it; none when the body must be broken off. */
  fail(error: GatewayError): Uint8Array[] | undefined;
  /** Returns one keep-alive record in the protocol's own form. */
  keepAlive(): Uint8Array;
}
