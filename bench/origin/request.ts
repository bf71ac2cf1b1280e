/** Requests on one connection, one after the other. */
import { createBodyReader, type BodyReader } from "../wire/body.ts";
import { readHead } from "../wire/head.ts";

export interface Request {
  /** Path and query as they came. */
  readonly target: string;
  readonly body: string;
}

/** Returns what takes a connection's bytes and gives the requests that they complete. */
export function createRequestReader(): (bytes: Buffer) => Request[] {
  let kept: Buffer = Buffer.alloc(0);
  let reading: { target: string; body: BodyReader; parts: Buffer[] } | undefined;
  return (bytes) => {
    const requests: Request[] = [];
    let left: Buffer = kept.length > 0 ? Buffer.concat([kept, bytes]) : bytes;
    for (;;) {
      if (reading === undefined) {
        const found = readHead(left);
        if (found === undefined) break;
        const target = found.head.line.split(" ")[1] ?? "";
        reading = { target, body: createBodyReader(found.head, false), parts: [] };
        left = left.subarray(found.bodyAt);
      }
      const { target, body, parts } = reading;
      // What follows a body is the next request only where a client pipelines, which none of ours does.
      const whole = body.push(left, (part) => parts.push(Buffer.from(part)));
      left = Buffer.alloc(0);
      if (!whole) break;
      requests.push({ target, body: Buffer.concat(parts).toString() });
      reading = undefined;
    }
    kept = left;
    return requests;
  };
}
