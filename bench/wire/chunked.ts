/** Chunked transfer encoding, read from bytes that may be cut anywhere. */

const CR = 13;
const LF = 10;

export interface ChunkedReader {
  /** Hands on what of `bytes` is the body. Returns true once the last chunk and its trailers have been read. */
  push(bytes: Buffer, take: (body: Buffer) => void): boolean;
}

export function createChunkedReader(): ChunkedReader {
  let at: "size" | "data" | "after-data" | "trailers" | "end" = "size";
  let line = "";
  let left = 0;

  /** The rest of a line once it is whole; what there is of it is kept until then. */
  const takeLine = (bytes: Buffer, from: number): { line?: string; next: number } => {
    const end = bytes.indexOf(LF, from);
    if (end < 0) {
      line += bytes.toString("latin1", from);
      return { next: bytes.length };
    }
    const whole = line + bytes.toString("latin1", from, end);
    line = "";
    return { line: whole.charCodeAt(whole.length - 1) === CR ? whole.slice(0, -1) : whole, next: end + 1 };
  };

  return {
    push(bytes, take) {
      let from = 0;
      while (from < bytes.length && at !== "end") {
        if (at === "data") {
          const part = bytes.subarray(from, from + left);
          take(part);
          from += part.length;
          left -= part.length;
          if (left === 0) at = "after-data";
          continue;
        }
        const read = takeLine(bytes, from);
        from = read.next;
        if (read.line === undefined) break;
        if (at === "after-data") at = "size";
        else if (at === "trailers") at = read.line === "" ? "end" : "trailers";
        else {
          left = sizeOf(read.line);
          at = left === 0 ? "trailers" : "data";
        }
      }
      return at === "end";
    },
  };
}

/** The bytes as one chunk, so that a frame needs one write. */
export function asChunk(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

export const LAST_CHUNK = Buffer.from("0\r\n\r\n");

function sizeOf(line: string): number {
  const size = /^([0-9a-f]+)[ \t]*(?:;|$)/i.exec(line)?.[1];
  if (size === undefined) throw new Error(`not the size of a chunk: ${JSON.stringify(line)}`);
  return Number.parseInt(size, 16);
}
