/**
 * Finds the members of a JSON object in its text, without building it: what is not edited keeps its every digit.
 * The text must already have passed `JSON.parse` and be an object; on anything else the result is meaningless.
 */

export interface Member {
  readonly key: string;
  /** Offset of the key's opening quote. */
  readonly start: number;
  readonly valueStart: number;
  /** Offset just after the value. */
  readonly valueEnd: number;
}

/** Returns the top-level members in the order in which they stand, duplicates included. */
export function members(text: string): Member[] {
  const found: Member[] = [];
  let at = skipSpace(text, 0) + 1;
  for (;;) {
    at = skipSpace(text, at);
    if (text[at] === "," || text[at] === undefined) {
      if (text[at] === undefined) return found;
      at += 1;
      continue;
    }
    if (text[at] === "}") return found;
    const start = at;
    const keyEnd = stringEnd(text, start);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    const key = String(JSON.parse(text.slice(start, keyEnd)));
    found.push({ key, start, valueStart, valueEnd });
    at = valueEnd;
  }
}

/** Returns the texts of an array's elements; of the text the same holds as above. */
export function elements(text: string): string[] {
  const found: string[] = [];
  let at = skipSpace(text, 0) + 1;
  for (;;) {
    at = skipSpace(text, at);
    if (text[at] === "]" || text[at] === undefined) return found;
    if (text[at] === ",") {
      at += 1;
      continue;
    }
    const end = skipValue(text, at);
    found.push(text.slice(at, end));
    at = end;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** A picture in a body is one string of megabytes, so quotes are searched for natively and not walked to. */
function stringEnd(text: string, openingQuote: number): number {
  let at = openingQuote;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}

const BRACKET_OR_QUOTE = /["[\]{}]/g;
const SCALAR_END = /[\s,\]}]/g;

function skipValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return stringEnd(text, from);
  if (first !== "{" && first !== "[") {
    SCALAR_END.lastIndex = from;
    return SCALAR_END.exec(text)?.index ?? text.length;
  }
  let depth = 0;
  let at = from;
  for (;;) {
    BRACKET_OR_QUOTE.lastIndex = at;
    const index = BRACKET_OR_QUOTE.exec(text)?.index;
    if (index === undefined) return text.length;
    const mark = text[index];
    if (mark === '"') {
      at = stringEnd(text, index);
      continue;
    }
    depth += mark === "{" || mark === "[" ? 1 : -1;
    at = index + 1;
    if (depth === 0) return at;
  }
}
