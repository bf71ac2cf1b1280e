/**
 * Bytes to frames, by the WHATWG rules for event streams (https://html.spec.whatwg.org/multipage/server-sent-events.html),
 * with one departure: a last record without its blank line is given out, marked `unterminated`, since some servers
 * leave that line away. The result does not depend on how the bytes were cut. No JSON, no I/O.
 */
import { GatewayError } from "../core/errors.ts";
import type { Machine } from "../core/machine.ts";
import { isPlainStart, PlainFrame, readRecord } from "./record.ts";
import type { Frame } from "./frame.ts";

const LF = 0x0a;
const CR = 0x0d;

/**
 * Where the scan stands:
 * - `line`: inside a line;
 * - `line-start`: a line may begin here, so a line end would close the record;
 * - `after-cr`: as `line-start`, but an LF would still belong to the CR before it;
 * - `broken`: a record outgrew the limit, the rest is ignored.
 */
type Scan = "line" | "line-start" | "after-cr" | "broken";

export class SseParser implements Machine<Uint8Array, Frame> {
  #scan: Scan = "line-start";
  /** The unfinished record's bytes that earlier chunks brought; grows by doubling, so single bytes cost no more than blocks. */
  #held = new Uint8Array(0);
  #heldLength = 0;
  #first = true;
  readonly #maxFrameBytes: number;

  /** A record of more than `maxFrameBytes` bytes ends the stream with `origin_protocol`. */
  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  push(chunk: Uint8Array): (Frame | GatewayError)[] {
    const out: (Frame | GatewayError)[] = [];
    let recordStart = this.#scan === "line-start" && this.#heldLength === 0 ? this.#takePlain(chunk, out) : 0;
    if (recordStart === chunk.length) return out;
    let scan = this.#scan;
    for (let at = recordStart; at < chunk.length && scan !== "broken"; at += 1) {
      const byte = chunk[at];
      if (byte === LF && scan === "after-cr") {
        scan = "line-start";
      } else if (byte === LF || byte === CR) {
        if (scan === "line") {
          scan = byte === CR ? "after-cr" : "line-start";
        } else {
          // The LF of a last CRLF is left over; it closes a record without a line, which is none.
          scan = "line-start";
          this.#close(chunk.subarray(recordStart, at + 1), out);
          recordStart = at + 1;
        }
      } else {
        scan = "line";
      }
      if (out.at(-1) instanceof GatewayError) scan = "broken";
    }
    this.#scan = scan;
    if (scan === "broken") return out;
    this.#hold(chunk.subarray(recordStart));
    if (this.#heldLength > this.#maxFrameBytes) {
      out.push(tooLarge(this.#maxFrameBytes));
      this.#scan = "broken";
    }
    return out;
  }

  end(): (Frame | GatewayError)[] {
    if (this.#scan === "broken" || this.#heldLength === 0) return [];
    const frame = readRecord(this.#take(new Uint8Array(0)), { first: this.#first, unterminated: true });
    return frame ? [frame] : [];
  }

  /**
   * Takes the records at the chunk's start that are spelled as vLLM spells them, found by native searches. Returns where
   * the first begins that is not, or is not all there.
   */
  #takePlain(chunk: Uint8Array, out: (Frame | GatewayError)[]): number {
    const cr = chunk.indexOf(CR);
    const end = cr < 0 ? chunk.length : cr;
    let at = 0;
    while (isPlainStart(chunk, at)) {
      const line = chunk.indexOf(LF, at) + 1;
      if (line === 0 || line >= end || chunk[line] !== LF || line + 1 - at > this.#maxFrameBytes) break;
      out.push(new PlainFrame(chunk.subarray(at, line + 1)));
      at = line + 1;
    }
    if (at > 0) this.#first = false;
    return at;
  }

  #close(tail: Uint8Array, out: (Frame | GatewayError)[]): void {
    const record = this.#take(tail);
    if (record.length > this.#maxFrameBytes) {
      out.push(tooLarge(this.#maxFrameBytes));
      return;
    }
    const frame = readRecord(record, { first: this.#first, unterminated: false });
    this.#first = false;
    if (frame) out.push(frame);
  }

  /** Returns the held bytes and `tail` as one record, and holds nothing afterwards. */
  #take(tail: Uint8Array): Uint8Array {
    if (this.#heldLength === 0) return tail;
    this.#hold(tail);
    const record = this.#held.slice(0, this.#heldLength);
    this.#heldLength = 0;
    return record;
  }

  #hold(bytes: Uint8Array): void {
    const needed = this.#heldLength + bytes.length;
    if (needed > this.#held.length) {
      const grown = new Uint8Array(Math.max(needed, this.#held.length * 2));
      grown.set(this.#held.subarray(0, this.#heldLength));
      this.#held = grown;
    }
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength = needed;
  }
}

function tooLarge(maxFrameBytes: number): GatewayError {
  return new GatewayError("origin_protocol", `The origin sent an event of more than ${maxFrameBytes} bytes.`);
}
