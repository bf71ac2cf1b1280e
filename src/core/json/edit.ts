import { members } from "./members.ts";

/** What becomes of members of an object: the new value by key, or `undefined` to leave the member out. */
export type Edits = Readonly<Record<string, unknown>>;

/** A value that is JSON text already and goes in as it stands. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Returns the object in `text` with `edits` spliced in at its top level; every other byte stays as the client wrote it
 * (int64 seeds, `1.0`, key order, white space). Of duplicate keys the last one counts, so the last one is set; a
 * removal takes all of them. A key that is not there is added at the end. `text` must be a valid JSON object.
 */
export function editObject(text: string, edits: Edits): string {
  const missing = new Set(Object.keys(edits));
  if (missing.size === 0) return text;
  const present = members(text);
  const counts = new Map(present.map((member) => [member.key, member]));
  let end = text.indexOf("{") + 1;
  let edited = text.slice(0, end);
  let kept = 0;
  for (const member of present) {
    const gap = text.slice(end, member.start);
    end = member.valueEnd;
    missing.delete(member.key);
    const isEdited = Object.hasOwn(edits, member.key);
    if (isEdited && edits[member.key] === undefined) continue;
    edited += kept === 0 ? gap.replace(",", "") : gap;
    edited +=
      isEdited && counts.get(member.key) === member
        ? text.slice(member.start, member.valueStart) + toJson(edits[member.key])
        : text.slice(member.start, member.valueEnd);
    kept += 1;
  }
  for (const key of missing) {
    if (edits[key] === undefined) continue;
    edited += `${kept === 0 ? "" : ","}${JSON.stringify(key)}:${toJson(edits[key])}`;
    kept += 1;
  }
  return edited + text.slice(end);
}

/** Returns the text of the value that counts for `key`, or `undefined` when the object has no such member. */
export function memberText(text: string, key: string): string | undefined {
  const member = members(text).findLast((candidate) => candidate.key === key);
  return member && text.slice(member.valueStart, member.valueEnd);
}

function toJson(value: unknown): string {
  return value instanceof RawJson ? value.text : JSON.stringify(value);
}
