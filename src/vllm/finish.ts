/** Finish reasons, as origins spell them. */
import { GatewayError } from "../core/errors.ts";
import type { JsonObject } from "../core/json/object.ts";
import { choicesOf, indexOf } from "./choice.ts";

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

/** Returns the finish reasons of a whole answer's choices, in the order of their indices. */
export function finishReasonsOf(answer: JsonObject): string[] {
  const reasons = new FinishReasons();
  for (const [at, choice] of choicesOf(answer).entries()) reasons.note(indexOf(choice, at), [choice]);
  return reasons.list;
}

/** Keeps the finish reason that each choice ends with. */
export class FinishReasons {
  readonly #reasons = new Map<number, string>();

  /** In the order of the choices' indices. */
  get list(): string[] {
    const byIndex = [...this.#reasons].toSorted(([one], [other]) => one - other);
    return byIndex.map(([, reason]) => reason);
  }

  /** Takes the last outputs of the choice `index`: its finish is the very last, unless it failed. */
  note(index: number, outputs: readonly (JsonObject | GatewayError)[]): void {
    const last = outputs.at(-1);
    const reason = last instanceof GatewayError ? undefined : readFinish(last?.["finish_reason"]);
    if (reason !== undefined) this.#reasons.set(index, reason);
  }
}
