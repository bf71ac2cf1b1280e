import type { GatewayError } from "../core/errors.ts";
import { isObject, type JsonObject } from "../core/json/object.ts";

/** One choice of a stream: what comes of it goes in, the choices to send come out, each for a chunk of its own. */
export interface Choice {
  readonly phase: "silent" | "started" | "finished";
  /** Characters that the choice has said, for estimates. */
  readonly textLength: number;
  /** Whether `choice` does no more than start: it commits us to nothing, an error may still follow. */
  opensOnly(choice: JsonObject): boolean;
  /** Returns the very same object where it is right as it is, none where nothing of it is left; a failure comes last. */
  push(choice: JsonObject): (JsonObject | GatewayError)[];
  /** Returns what a choice that the origin left without a finish still needs; `limited`: its tokens reached the limit. */
  complete(limited: boolean): (JsonObject | GatewayError)[];
}

/** Returns the chunk's choices; none where they are missing or not a list of objects. */
export function choicesOf(chunk: JsonObject): JsonObject[] {
  const choices: unknown[] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
  return choices.filter((choice) => isObject(choice));
}

/** Whether nothing stands beside the one choice, not even what is no choice at all. */
export function isAlone({ choices }: JsonObject): boolean {
  return Array.isArray(choices) && choices.length === 1;
}

/** Returns the choice's index; 0 where it tells none. */
export function indexOf({ index }: JsonObject): number {
  const whole = typeof index === "string" ? Number(index) : index;
  return typeof whole === "number" && Number.isInteger(whole) && whole >= 0 ? whole : 0;
}

/** A call, so that the compiler does not take an earlier look at the phase for a later one. */
export function hasFinished({ phase }: Choice): boolean {
  return phase === "finished";
}
