/**
 * Reads a body in pieces as large as what waits for it. The runtime's own reads bring 4 KiB at most: enough for a stream's
 * events, and the cheapest way to wait for one; of a body of megabytes they make hundreds of turns.
 */

type Read = ReadableStreamReadResult<Uint8Array>;

/** What a read of the runtime's own brings at most. */
const SMALL_BYTES = 4_096;
const LARGE_BYTES = 65_536;

export class ByteReader {
  readonly #body: ReadableStream<Uint8Array>;
  #reader:
    | { readonly kind: "small"; readonly reader: ReadableStreamDefaultReader<Uint8Array> }
    | { readonly kind: "large"; readonly reader: ReadableStreamBYOBReader };

  constructor(body: ReadableStream<Uint8Array>) {
    this.#body = body;
    this.#reader = { kind: "small", reader: body.getReader() };
  }

  /**
   * Returns the next piece, which nobody else writes to, or the end; rejects as the body does. `came` is how many bytes the
   * last read brought: where that was all that it could, more is asked for.
   */
  read(came: number): Promise<Read> {
    const wanted = came < SMALL_BYTES ? "small" : "large";
    if (this.#reader.kind !== wanted) this.#change(wanted);
    if (this.#reader.kind === "small") return this.#reader.reader.read();
    return this.#reader.reader.read(new Uint8Array(LARGE_BYTES)) as Promise<Read>;
  }

  /** Lets the body go; a read that waits ends. */
  cancel(): Promise<void> {
    return this.#reader.reader.cancel();
  }

  #change(wanted: "small" | "large"): void {
    this.#reader.reader.releaseLock();
    const byob = wanted === "large" ? byobReader(this.#body) : undefined;
    this.#reader = byob ? { kind: "large", reader: byob } : { kind: "small", reader: this.#body.getReader() };
  }
}

/** Bodies from the network have one; a stream that somebody made of pieces has none. */
function byobReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}
