/** A message's body, in whichever of HTTP/1.1's framings it comes. */
import { createChunkedReader } from "./chunked.ts";
import type { Head } from "./head.ts";

export interface BodyReader {
  /** Hands on what of `bytes` is the body. Returns true once the body is whole. */
  push(bytes: Buffer, take: (body: Buffer) => void): boolean;
}

/** `untilClose`: whether a body of no stated length lasts until the connection ends, as an answer's does. */
export function createBodyReader({ headers }: Head, untilClose: boolean): BodyReader {
  if (/\bchunked\b/i.test(headers.get("transfer-encoding") ?? "")) return createChunkedReader();
  const length = headers.get("content-length");
  let left = length === undefined ? (untilClose ? Infinity : 0) : Number(length);
  return {
    push(bytes, take) {
      const part = left < bytes.length ? bytes.subarray(0, left) : bytes;
      if (part.length > 0) take(part);
      left -= part.length;
      return left <= 0;
    },
  };
}
