/**
 * The client's end of a stream. It is `held` until the response head may go out, then `flowing`, and `closed` once the
 * last byte has been taken or the client has gone.
 */
export class Outlet {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #state: { kind: "held"; bytes: Uint8Array[] } | { kind: "flowing" } | { kind: "closed" } = {
    kind: "held",
    bytes: [],
  };
  #pending = 0;

  constructor(writable: WritableStream<Uint8Array>) {
    this.#writer = writable.getWriter();
    // A client that leaves rejects this promise too; writes and close report it where it matters.
    this.#writer.closed.catch(() => {});
  }

  get held(): boolean {
    return this.#state.kind === "held";
  }

  /** Whether bytes are on their way that the client has not taken yet. */
  get busy(): boolean {
    return this.#pending > 0;
  }

  /** Lets bytes flow. Returns what was held, for the caller to send first. */
  open(): Uint8Array[] {
    if (this.#state.kind !== "held") return [];
    const { bytes } = this.#state;
    this.#state = { kind: "flowing" };
    return bytes;
  }

  /** Sends `pieces` as one write; resolves once the client has taken them, rejects when it has left. While held, keeps them. */
  async send(pieces: readonly Uint8Array[]): Promise<void> {
    if (this.#state.kind === "held") {
      this.#state.bytes.push(...pieces);
    } else if (this.#state.kind === "flowing" && pieces.length > 0) {
      this.#pending += 1;
      try {
        await this.#writer.write(join(pieces));
      } finally {
        this.#pending -= 1;
      }
    }
  }

  /** Sends the clean end of the body; rejects when the client has left. */
  async close(): Promise<void> {
    if (this.#state.kind === "closed") return;
    this.#state = { kind: "closed" };
    await this.#writer.close();
  }

  /** Breaks the body off, unless its end has gone out already; never rejects. */
  abort(): void {
    this.#state = { kind: "closed" };
    this.#writer.abort(new DOMException("The response was broken off", "AbortError")).catch(() => {});
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only) return only;
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
