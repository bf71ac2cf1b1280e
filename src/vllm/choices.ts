/**
 * Which of a stream's choices have finished. An answer is complete once every expected choice has: prompts × n of them,
 * with indices from 0.
 */
export class Choices {
  readonly #expected: number;
  readonly #finished = new Set<number>();

  constructor(expected: number) {
    this.#expected = expected;
  }

  /** Takes note of a choice's finish reason; null, missing and empty ones are none. */
  finish(index: number, reason: unknown): void {
    if (typeof reason === "string" && reason !== "") this.#finished.add(index);
  }

  get allFinished(): boolean {
    return this.#finished.size >= this.#expected;
  }
}
