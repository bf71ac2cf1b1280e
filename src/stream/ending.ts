import type { GatewayError } from "../core/errors.ts";

/**
 * How far a request had come:
 * - `reading`: its body was being read;
 * - `waiting`: the origin had sent no head;
 * - `prefill`: the origin's head was there, but no frame that says something;
 * - `streaming`: the answer was under way (for a whole answer: its body was);
 * - `ending`: its last bytes were on their way to the client.
 */
export type Stage = "reading" | "waiting" | "prefill" | "streaming" | "ending";

/** How a request ended. Every request, refusals too, has exactly one; logs, leases and counters read nothing else. */
export type Ending =
  | { readonly kind: "finished" }
  | { readonly kind: "client_left"; readonly stage: Stage }
  | { readonly kind: "failed"; readonly error: GatewayError };
