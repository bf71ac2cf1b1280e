import { setImmediate as nextTurn } from "node:timers/promises";

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

/** A clock that stands still until it is told to advance. */
export class FakeClock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(ms: number, task: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), task };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** How many timers are still to fire. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets `ms` milliseconds pass: runs what falls due, in order, and what each brings about before the next. */
  async advance(ms: number): Promise<void> {
    await flush();
    const until = this.#now + ms;
    for (let timer = this.#next(until); timer; timer = this.#next(until)) {
      this.#timers.delete(timer);
      this.#now = timer.at;
      timer.task();
      await flush();
    }
    this.#now = until;
  }

  /** Timers that fall due at the same moment run in the order in which they were set. */
  #next(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= until && (!next || timer.at < next.at)) next = timer;
    }
    return next;
  }
}

/** Waits until every promise that can settle without time or I/O has settled. */
export async function flush(): Promise<void> {
  await nextTurn();
}
