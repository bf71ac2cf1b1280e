/** Frames to bytes, in the one spelling that every client reads: LF, `data: ` with one space, one line of data. */

const encoder = new TextEncoder();
const LINE_BREAK = /\r\n|\n|\r/g;

/**
 * Returns a record with `data` on one line. Line breaks in `data` become spaces: in JSON, the only data we send, a
 * raw line break can only be white space between tokens.
 */
export function formatData(data: string): Uint8Array {
  return encoder.encode(`data: ${data.replace(LINE_BREAK, " ")}\n\n`);
}

/**
 * Returns a comment as a record of its own; `text` must be one line. It must not start with `ping`, which one widely
 * used reader takes for the end of the stream.
 */
export function formatComment(text: string): Uint8Array {
  return encoder.encode(`: ${text}\n\n`);
}

/** Returns a record with an `event:` line before its data, for protocols whose records have names; `data` as above. */
export function formatEvent(event: string, data: string): Uint8Array {
  return encoder.encode(`event: ${event}\ndata: ${data.replace(LINE_BREAK, " ")}\n\n`);
}
