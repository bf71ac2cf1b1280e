/** Finish reasons, as origins spell them. */
import { GatewayError } from "../core/errors.ts";

/** Returns the finish reason that `value` states, or `undefined` for none: some servers write `""` on every chunk. */
export function readFinish(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the failure that a finish reason stands for, or `undefined` for one that ends an answer well. */
export function finishFailure(reason: string): GatewayError | undefined {
  if (reason !== "abort" && reason !== "error") return undefined;
  return new GatewayError("origin_error", "The origin gave the answer up before it was complete.", {
    cause: `finish_reason ${reason}`,
  });
}
