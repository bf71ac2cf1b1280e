import type { Frame } from "./frame.ts";

// BOM handling is ours: the decoder would strip one from the start of every record, not only of the stream.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });

const PREFIX = [0x64, 0x61, 0x74, 0x61, 0x3a, 0x20]; // "data: "
const LF = 0x0a;
const CR = 0x0d;

/** A record in vLLM's own spelling. Its data are decoded when somebody asks for them. */
export class PlainFrame implements Frame {
  readonly bytes: Uint8Array;
  readonly unterminated = false;
  #data: string | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get data(): string {
    return (this.#data ??= decoder.decode(this.bytes.subarray(PREFIX.length, this.bytes.length - 2)));
  }
}

interface Place {
  /** Whether this is the stream's first record, where a byte order mark may stand. */
  readonly first: boolean;
  readonly unterminated: boolean;
}

/** Returns the frame in one record's bytes, or `undefined` for one with no data or empty data (comments, a lone `event:`). */
export function readRecord(bytes: Uint8Array, { first, unterminated }: Place): Frame | undefined {
  if (!unterminated && isPlain(bytes)) return new PlainFrame(bytes);
  let text = decoder.decode(bytes);
  if (first && text.startsWith("\uFEFF")) text = text.slice(1);
  const data: string[] = [];
  let event: string | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === "data") data.push("");
    else if (line.startsWith("data: ")) data.push(line.slice(6));
    else if (line.startsWith("data:")) data.push(line.slice(5));
    else if (line.startsWith("event:")) event = line.slice(line.startsWith("event: ") ? 7 : 6);
  }
  const joined = data.join("\n");
  if (joined === "") return undefined;
  return { data: joined, bytes: undefined, unterminated, ...(event !== undefined && { event }) };
}

/** Whether the record is `data: `, one line that is not empty and two LF: vLLM's own spelling, which may leave as it came. */
function isPlain(bytes: Uint8Array): boolean {
  if (!isPlainStart(bytes, 0)) return false;
  const lineEnd = bytes.indexOf(LF);
  return lineEnd === bytes.length - 2 && bytes[lineEnd + 1] === LF && !bytes.includes(CR);
}

/** Whether `data: ` stands at `start`, and the line goes on. */
export function isPlainStart(bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < PREFIX.length; at += 1) if (bytes[start + at] !== PREFIX[at]) return false;
  const next = bytes[start + PREFIX.length];
  return next !== undefined && next !== LF && next !== CR;
}
