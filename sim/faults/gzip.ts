import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";

import { textOf, type Header, type Step, type Steps } from "../steps.ts";

const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

/** The same answer compressed; in a stream each event is flushed, so that it can be read when it comes. */
export function* gzipped(steps: Steps): Generator<Step> {
  const encoding: Header = ["content-encoding", "gzip"];
  let checksum = 0;
  let length = 0;
  for (const step of steps) {
    if (step.do === "reply") {
      const text = typeof step.body === "string" ? step.body : JSON.stringify(step.body ?? "");
      const bytes = gzipSync(text);
      const headers = step.headers.map(([name, value]): Header => [name, value.replace("$LENGTH", `${bytes.length}`)]);
      yield { do: "head", status: step.status, headers: [...headers, encoding], framing: "raw" };
      yield { do: "write", bytes };
    } else if (step.do === "head") {
      yield { ...step, headers: [...step.headers, encoding] };
      yield { do: "write", bytes: HEADER };
    } else if (step.do === "end") {
      const trailer = Buffer.alloc(8);
      trailer.writeUInt32LE(checksum, 0);
      trailer.writeUInt32LE(length >>> 0, 4);
      yield { do: "write", bytes: Buffer.concat([deflateRawSync(""), trailer]) };
      yield step;
    } else {
      const text = textOf(step);
      if (text === undefined) yield step;
      else {
        const bytes = Buffer.from(text);
        checksum = crc32(bytes, checksum);
        length += bytes.length;
        // Blocks that end at a byte and refer to nothing before them can be put one after the other.
        yield { do: "write", bytes: deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }), frames: 1 };
      }
    }
  }
}
