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

  /**
   * Sends `pieces`; resolves once the client has taken them all, rejects when it has left. They go out in as few writes
   * as may be, none so large that a slow but living client could not take it for a long time; `onTaken` is called for
   * each but the last. While held, keeps them.
   */
  send(pieces: readonly Uint8Array[], onTaken?: () => void): Promise<void> {
    if (this.#state.kind === "held") this.#state.bytes.push(...pieces);
    if (this.#state.kind !== "flowing" || pieces.length === 0) return Promise.resolve();
    this.#pending += 1;
    const joined = join(pieces);
    // The rule: an event is one write. What is awaited is that write itself, since each promise more costs each event.
    const taken = joined.length <= MAX_WRITE_BYTES ? this.#writer.write(joined) : this.#sendSliced(joined, onTaken);
    taken.then(this.#onTaken, this.#onTaken);
    return taken;
  }

  readonly #onTaken = (): void => {
    this.#pending -= 1;
  };

  /** All slices are queued at once, so that nothing else comes between them. */
  async #sendSliced(bytes: Uint8Array, onTaken: (() => void) | undefined): Promise<void> {
    const writes = slices(bytes).map((slice) => this.#writer.write(slice));
    const last = writes.length - 1;
    await Promise.all(writes.map((write, at) => (at < last ? write.then(onTaken) : write)));
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

const MAX_WRITE_BYTES = 65_536;

function slices(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / MAX_WRITE_BYTES);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * MAX_WRITE_BYTES, (at + 1) * MAX_WRITE_BYTES));
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
