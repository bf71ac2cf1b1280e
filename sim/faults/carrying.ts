import { isObject, type JsonObject } from "../json.ts";
import { piecesOf } from "../text/pieces.ts";

/** A choice with another text, where its operation keeps it: a delta, a message, a text, or ids. */
export function carrying(choice: JsonObject, text: string): JsonObject {
  if ("delta" in choice) return { ...choice, delta: { content: text } };
  const { message } = choice;
  if (isObject(message)) return { ...choice, message: { ...message, content: text } };
  if ("text" in choice) return { ...choice, text };
  return { ...choice, token_ids: piecesOf(text).map((piece) => piece.id) };
}

/** What carries a text, or one id, of any length: the bytes before the hole, what may fill it, and those behind. */
export interface Hollow {
  before: string;
  /** One character of text, or one more id. */
  fill: string;
  rest: string;
}

const MARK = "\u0001";

/** Makes room in the JSON of something that carries a text: `filled` puts the mark in its place. */
export function hollowed(filled: (mark: string) => JsonObject): Hollow {
  const json = JSON.stringify(filled(MARK));
  const [before, rest] = json.split(String.raw`\u0001`);
  if (before !== undefined && rest !== undefined) return { before, fill: "x", rest };
  // Ids instead of text: the mark's own id stays in front of the others.
  const [head = ""] = /^.*?"token_ids":\[\d+/.exec(json) ?? [];
  return { before: head, fill: ",100", rest: json.slice(head.length) };
}

/** The hole filled up to about so many bytes, a piece at a time: nobody holds all of it. */
export function* filling(hollow: Hollow, size: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(65_536, hollow.fill);
  yield Buffer.from(hollow.before);
  for (let left = fillBytes(hollow, size); left > 0; left -= piece.length) {
    yield piece.subarray(0, Math.min(left, piece.length));
  }
  yield Buffer.from(hollow.rest);
}

/** How many bytes fill the hole so that the whole comes up to `size`, no id cut in its middle. */
export function fillBytes({ before, fill, rest }: Hollow, size: number): number {
  const room = Math.max(0, size - Buffer.byteLength(before) - Buffer.byteLength(rest));
  return room - (room % fill.length);
}
