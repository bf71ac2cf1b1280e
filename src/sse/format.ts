/** Frames to bytes, in the one spelling that every client reads: LF, `data: ` with one space, one line of data. */

const encoder = new TextEncoder();

/** Returns a record of `data`, which must be one line, as `JSON.stringify` writes it. */
export function formatData(data: string): Uint8Array {
  return encoder.encode(`data: ${data}\n\n`);
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
  return encoder.encode(`event: ${event}\ndata: ${data}\n\n`);
}
