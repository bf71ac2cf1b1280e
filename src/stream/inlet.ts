import { ByteReader } from "../core/byte-reader.ts";
import { GatewayError } from "../core/errors.ts";
import type { Phase } from "../core/machine.ts";

type Read = ReadableStreamReadResult<Uint8Array>;

/** The origin's end of a stream: one body, read piece by piece and let go as soon as it is of no more use. */
export class Inlet {
  readonly #free: () => void;
  #reader: ByteReader | undefined;

  /** `free` closes the origin's request, in whatever state it is. */
  constructor(free: () => void) {
    this.#free = free;
  }

  open(body: ReadableStream<Uint8Array>): void {
    this.#reader = new ByteReader(body);
  }

  /**
   * Returns the next piece, or the end. Rejects when the connection breaks: `afterBreak` says what that means. `came` is
   * how many bytes the last read brought.
   */
  read(came = 0): Promise<Read> {
    return this.#reader?.read(came) ?? Promise.resolve({ done: true, value: undefined });
  }

  /** Closes the origin's request; a read that waits ends. Harmless when all is over already. */
  release(): void {
    this.#free();
    this.#reader?.cancel().catch(() => {});
  }

  /** Reads to the end, whatever comes. Never throws: after the terminator a broken connection loses nothing. */
  async drain(): Promise<void> {
    try {
      while (!(await this.read()).done);
    } catch {
      // Broken is ended.
    }
  }
}

/**
 * Returns the end, where a connection that broke has lost nothing since the answer had finished. Throws `origin_cut` for
 * one that broke before.
 */
export function afterBreak(cause: unknown, phase: Phase): Read {
  if (phase === "settling") return { done: true, value: undefined };
  throw new GatewayError("origin_cut", "The origin broke the connection before the answer was complete.", { cause });
}
