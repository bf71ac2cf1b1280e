/** What became of the requests that carry a tag: when they came, and when their client was seen to leave. */
import { now } from "../clock.ts";

export interface Visit {
  /** When the request was there, whole. */
  readonly arrivedAt: number;
  /** When the connection was closed from the other side. */
  closedAt?: number;
}

export interface Entry extends Visit {
  /** Bytes of the answer that the connection has taken so far. */
  taken: () => number;
}

export class Ledger {
  readonly #entries = new Map<string, Entry>();
  readonly #changes = new EventTarget();

  arrived(tag: string): Entry {
    const entry: Entry = { arrivedAt: now(), taken: () => 0 };
    this.#entries.set(tag, entry);
    this.#changes.dispatchEvent(new Event("change"));
    return entry;
  }

  closed(entry: Entry): void {
    entry.closedAt = now();
    this.#changes.dispatchEvent(new Event("change"));
  }

  get(tag: string): Entry | undefined {
    return this.#entries.get(tag);
  }

  /** The entries of these tags as soon as each has gone so far, or as they are after `withinMs`; null for one unknown. */
  async when(far: "arrivedAt" | "closedAt", tags: readonly string[], withinMs: number): Promise<(Visit | null)[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (tags.every((tag) => this.#entries.get(tag)?.[far] !== undefined)) resolve();
    };
    this.#changes.addEventListener("change", look);
    const timer = setTimeout(() => resolve(), withinMs);
    look();
    await promise;
    clearTimeout(timer);
    this.#changes.removeEventListener("change", look);
    return tags.map((tag) => this.#entries.get(tag) ?? null);
  }
}
