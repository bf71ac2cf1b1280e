/** Reads a body in pieces as large as what waits for it: left to itself, the runtime brings no more than 4 KiB each time. */

type Read = ReadableStreamReadResult<Uint8Array>;

/** Enough for an event or a few, and no more than that for a stream that waits. */
const SMALL_BYTES = 4_096;
/** A read that came back full asks for so much the next time. */
const LARGE_BYTES = 65_536;

export interface ByteReader {
  /** Returns the next piece, which nobody else writes to, or the end. Rejects as the body does. */
  read(): Promise<Read>;
  /** Lets the body go; a read that waits ends. */
  cancel(): Promise<void>;
}

export function readBytes(body: ReadableStream<Uint8Array>): ByteReader {
  const reader = byobReader(body);
  if (!reader) return body.getReader();
  let size = SMALL_BYTES;
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(size));
      if (done) return { done, value: undefined };
      size = value.length === size ? LARGE_BYTES : SMALL_BYTES;
      return { done, value };
    },
    cancel: () => reader.cancel(),
  };
}

/** Bodies from the network have one; a stream that somebody made of pieces has none. */
function byobReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}
