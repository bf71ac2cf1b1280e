/**
 * One frame whose JSON is known, as a pattern for others: a frame whose bytes differ from it in nothing but one text has the
 * same JSON but for that text, so it need not be decoded and parsed. The places are those where a token's text stands.
 */
import { isObject, type JsonObject } from "../core/json/object.ts";

/** Bytes before the text, bytes after it, and what to do with the text. */
export interface Likeness {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly place: Place;
  readonly json: JsonObject;
}

interface Place {
  readonly key: string;
  readonly kind: "text" | "ids";
  readonly get: (json: JsonObject) => unknown;
  /** Returns a copy of `json` with another value in the place. */
  readonly set: (json: JsonObject, value: unknown) => JsonObject;
}

const PLACES: readonly Place[] = [
  ...["content", "reasoning", "reasoning_content"].map((key): Place => ({
    key,
    kind: "text",
    get: (json) => deltaOf(json)[key],
    set: (json, value) => withDelta(json, { ...deltaOf(json), [key]: value }),
  })),
  {
    key: "arguments",
    kind: "text",
    get: (json) => functionOf(json)["arguments"],
    set(json, value) {
      const call = { ...callOf(json), function: { ...functionOf(json), arguments: value } };
      return withDelta(json, { ...deltaOf(json), tool_calls: [call] });
    },
  },
  ...(["text", "token_ids"] as const).map((key): Place => ({
    key,
    kind: key === "text" ? "text" : "ids",
    get: (json) => choiceOf(json)[key],
    set: (json, value) => ({ ...json, choices: [{ ...choiceOf(json), [key]: value }] }),
  })),
];

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
/** A token's text is mostly shorter. */
const MAX_TEXT_BYTES = 32;
/** No more digits than every number of that length is exact with. */
const MAX_DIGITS = 15;

/** Returns the likeness of a frame with one choice that says one thing; `undefined` for every other. */
export function likenessOf(bytes: Uint8Array, data: string, json: JsonObject): Likeness | undefined {
  // Where bytes were no UTF-8, text and bytes cannot be laid side by side.
  if (data.includes("\uFFFD")) return undefined;
  if (!isSingle(json["choices"]) || !isObject(json["choices"][0])) return undefined;
  const calls = deltaOf(json)["tool_calls"];
  if (calls !== undefined && !(isSingle(calls) && isObject(calls[0]))) return undefined;
  const [place, other] = PLACES.filter((candidate) => says(candidate.get(json)));
  if (!place || other) return undefined;
  // The key must stand there once, and nothing but the text may hold escapes: then it is the one that was read.
  const name = `"${place.key}"`;
  const at = data.indexOf(name);
  const opening = `${name}:${place.kind === "ids" ? "[" : '"'}`;
  if (at < 0 || data.includes(name, at + 1) || !data.startsWith(opening, at)) return undefined;
  const start = bytes.length - 2 - encoder.encode(data.slice(at + opening.length)).length;
  const end = place.kind === "ids" ? bytes.indexOf(CLOSING_BRACKET, start) : endOfText(bytes, start);
  const likeness = { before: bytes.slice(0, start), after: bytes.slice(end), place, json };
  if (likeness.before.includes(BACKSLASH) || likeness.after.includes(BACKSLASH)) return undefined;
  const again = readLike(bytes, likeness);
  return again && JSON.stringify(place.get(again)) === JSON.stringify(place.get(json)) ? likeness : undefined;
}

const CLOSING_BRACKET = 0x5d;

/** Returns the JSON of a frame that is like the known one, exactly as it would be parsed; `undefined` when it is not. */
export function readLike(bytes: Uint8Array, { before, after, place, json }: Likeness): JsonObject | undefined {
  const start = before.length;
  const end = bytes.length - after.length;
  // Of a longer text the runtime's own parser makes more, and sooner.
  if (end < start || end - start > MAX_TEXT_BYTES) return undefined;
  if (!isSame(bytes, 0, before) || !isSame(bytes, end, after)) return undefined;
  const value = place.kind === "ids" ? readIds(bytes, start, end) : readText(bytes, start, end);
  return value === undefined ? undefined : place.set(json, value);
}

function isSame(bytes: Uint8Array, offset: number, part: Uint8Array): boolean {
  // From its end: there it is that frames of several choices differ.
  for (let at = part.length - 1; at >= 0; at -= 1) if (bytes[offset + at] !== part[at]) return false;
  return true;
}

/** Returns the text of a JSON string's inside, or `undefined` where it is none. */
function readText(bytes: Uint8Array, start: number, end: number): string | undefined {
  let text = "";
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE || byte < 0x20) return undefined;
    if (byte === BACKSLASH || byte >= 0x80) return readRichText(bytes, start, end);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** The same with escapes and characters of several bytes. */
function readRichText(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (endOfText(bytes, start) !== end) return undefined;
  try {
    const text: unknown = JSON.parse(`"${decoder.decode(bytes.subarray(start, end))}"`);
    return typeof text === "string" ? text : undefined;
  } catch {
    // An escape that JSON has not: the whole frame is not JSON either, and whoever parses it will say so.
    return undefined;
  }
}

/** Returns where the string ends whose inside begins at `start`. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Returns the whole numbers between a list's brackets, or `undefined` for anything that is not plainly such a list. */
function readIds(bytes: Uint8Array, start: number, end: number): number[] | undefined {
  const ids: number[] = [];
  let id = 0;
  let digits = 0;
  for (let at = start; at <= end; at += 1) {
    const byte = at === end ? COMMA : (bytes[at] ?? 0);
    const digit = byte - ZERO;
    if (digit >= 0 && digit <= 9) {
      if ((digits > 0 && id === 0) || digits === MAX_DIGITS) return undefined;
      id = id * 10 + digit;
      digits += 1;
    } else if (byte === COMMA && digits > 0) {
      ids.push(id);
      id = 0;
      digits = 0;
    } else {
      return undefined;
    }
  }
  return ids;
}

function says(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (Array.isArray(value) && value.length > 0);
}

function isSingle(list: unknown): list is readonly [unknown] {
  return Array.isArray(list) && list.length === 1;
}

function choiceOf({ choices }: JsonObject): JsonObject {
  return firstOf(choices);
}

function deltaOf(json: JsonObject): JsonObject {
  const { delta } = choiceOf(json);
  return isObject(delta) ? delta : {};
}

function callOf(json: JsonObject): JsonObject {
  return firstOf(deltaOf(json)["tool_calls"]);
}

function functionOf(json: JsonObject): JsonObject {
  const fn = callOf(json)["function"];
  return isObject(fn) ? fn : {};
}

function firstOf(list: unknown): JsonObject {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isObject(first) ? first : {};
}

function withDelta(json: JsonObject, delta: JsonObject): JsonObject {
  return { ...json, choices: [{ ...choiceOf(json), delta }] };
}
