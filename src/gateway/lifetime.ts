/**
 * How long an origin may work for a request. One derived signal owns that: workerd does not pass a client's own signal
 * on to `fetch`, while a signal of ours that follows it closes the origin's request in every state.
 */
export class Lifetime {
  /** Aborted once the client has left. */
  readonly left: AbortSignal;
  readonly #own = new AbortController();

  constructor(request: Request) {
    this.left = request.signal;
    if (this.left.aborted) this.free();
    this.left.addEventListener("abort", () => this.free());
  }

  /** Aborted once the origin's work is of no more use: the client has left, or `free` was called. */
  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** Closes the origin's request, in whatever state it is; harmless when it has ended already. */
  free(): void {
    this.#own.abort();
  }
}
