import { GatewayError } from "../core/errors.ts";
import { isObject, type JsonObject } from "../core/json/object.ts";
import { cutStream, emptyStream } from "./repair.ts";

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
  return areObjects(choices) ? choices : choices.filter((choice) => isObject(choice));
}

/** Nearly always they are, and then their list serves as it is. */
function areObjects(values: unknown[]): values is JsonObject[] {
  for (const value of values) if (!isObject(value)) return false;
  return true;
}

/** Whether nothing stands beside the one choice, not even what is no choice at all. */
export function isAlone({ choices }: JsonObject): boolean {
  return Array.isArray(choices) && choices.length === 1;
}

/** Returns the place that an index tells, `absent` where it is left out, `wrong` where it is none: there is no guessing. */
export function readIndex(index: unknown): number | "absent" | "wrong" {
  if (index === undefined || index === null) return "absent";
  const whole = typeof index === "string" && /^\d+$/.test(index) ? Number(index) : index;
  return typeof whole === "number" && Number.isSafeInteger(whole) && whole >= 0 ? whole : "wrong";
}

/** Returns the choice's index; `absent` where it tells none. */
export function indexOf({ index }: JsonObject, absent = 0): number {
  const place = readIndex(index);
  return typeof place === "number" ? place : absent;
}

/** Whether a chunk's or an answer's choices can be read: what is passed over unread may be what the answer says. */
export function areReadable(choices: unknown): boolean {
  if (!Array.isArray(choices)) return choices === undefined || choices === null;
  return choices.every((choice) => choice === null || (isObject(choice) && readIndex(choice["index"]) !== "wrong"));
}

/** Returns the choices of a whole answer, each of the `expected` ones once; or the failure that it stands for. */
export function wholeChoices(answer: JsonObject, expected: number): JsonObject[] | GatewayError {
  if (!areReadable(answer["choices"])) return unreadable();
  const choices = new Map<number, JsonObject>();
  for (const [at, choice] of choicesOf(answer).entries()) {
    const index = indexOf(choice, at);
    if (index >= expected || choices.has(index)) continue;
    choices.set(index, choice["index"] === index ? choice : { ...choice, index });
  }
  if (choices.size === 0) return emptyStream();
  return choices.size < expected ? cutStream() : [...choices.values()];
}

/** What an origin sends in a place where only something else can stand. */
export function unreadable(): GatewayError {
  return new GatewayError("origin_protocol", "The origin's answer holds what cannot be read.");
}

/** A call, so that the compiler does not take an earlier look at the phase for a later one. */
export function hasFinished({ phase }: Choice): boolean {
  return phase === "finished";
}

/** Whether the outputs end in a failure, after which nothing may come. */
export function fails(outputs: readonly unknown[]): boolean {
  return outputs.at(-1) instanceof GatewayError;
}
