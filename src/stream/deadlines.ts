import type { Clock } from "../core/clock.ts";

/**
 * Several named deadlines on one timer. Moving a deadline costs a field write: the timer is never put back, it finds
 * out when it fires that nothing is due and sets itself again.
 */
export class Deadlines<Name extends string> {
  readonly #clock: Clock;
  readonly #onDue: (name: Name) => void;
  readonly #due = new Map<Name, number>();
  /** What was left of a deadline when it was paused. */
  readonly #paused = new Map<Name, number>();
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  /** `onDue` is called once for each deadline that passes; by then it is no longer set. */
  constructor(clock: Clock, onDue: (name: Name) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /**
   * Sets or moves `name` to `ms` milliseconds from `now`; 0 or less means that this deadline is off. Whoever moves several
   * at once looks at the clock once: in a Worker each look costs about as much as all the rest.
   */
  set(name: Name, ms: number, now?: number): void {
    this.#paused.delete(name);
    if (ms <= 0) {
      this.#due.delete(name);
      return;
    }
    const at = (now ?? this.#clock.now()) + ms;
    this.#due.set(name, at);
    if (!this.#timer || this.#timer.at > at) this.#arm(at);
  }

  clear(name: Name): void {
    this.#due.delete(name);
    this.#paused.delete(name);
  }

  /** Stops the time of `name` until it is resumed; nothing happens when it is not set. */
  pause(name: Name, now = this.#clock.now()): void {
    const at = this.#due.get(name);
    if (at === undefined) return;
    this.#due.delete(name);
    this.#paused.set(name, at - now);
  }

  /** Lets a paused deadline have what was left of its time. */
  resume(name: Name): void {
    const left = this.#paused.get(name);
    this.#paused.delete(name);
    if (left !== undefined) this.set(name, Math.max(1, left));
  }

  /** Calls every deadline off; nothing fires afterwards unless it is set again. */
  stop(): void {
    this.#due.clear();
    this.#paused.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(at: number): void {
    this.#timer?.cancel();
    this.#timer = { at, cancel: this.#clock.after(Math.max(0, at - this.#clock.now()), () => this.#fire()) };
  }

  #fire(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    const passed = [...this.#due].filter(([, at]) => at <= now).toSorted(([, a], [, b]) => a - b);
    for (const [name] of passed) {
      if (this.#due.delete(name)) this.#onDue(name);
    }
    const next = Math.min(...this.#due.values());
    if (Number.isFinite(next)) this.#arm(next);
  }
}
