/** A text that comes in pieces, in memory that goes by its length, however small they are. */
export class Pieces {
  readonly #blocks: string[] = [];
  #recent: string[] = [];

  push(piece: string): void {
    this.#recent.push(piece);
    if (this.#recent.length < MAX_RECENT) return;
    this.#blocks.push(this.#recent.join(""));
    this.#recent = [];
  }

  /** Returns all of it. */
  join(): string {
    return this.#blocks.join("") + this.#recent.join("");
  }
}

const MAX_RECENT = 1_024;
