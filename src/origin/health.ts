/**
 * What each origin was like when it was last seen, in this isolate's memory. An origin never seen counts as usable:
 * the first request finds out.
 */
import type { Clock } from "../core/clock.ts";

/** How long an origin that failed is passed over while another one is there. */
const AVOID_MS = 5_000;
/** How old the last sight of an origin may be before `/health` looks again. */
const STALE_MS = 10_000;

export class OriginHealth {
  readonly #clock: Clock;
  readonly #seen = new Map<string, { readonly usable: boolean; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes note that the origin at `url` has answered (`usable`), or could not be used. */
  saw(url: string, usable: boolean): void {
    this.#seen.set(url, { usable, at: this.#clock.now() });
  }

  /** Whether the origin was usable when last seen. */
  usable(url: string): boolean {
    return this.#seen.get(url)?.usable ?? true;
  }

  /** Whether the origin failed so recently that another one is the better choice. */
  avoid(url: string): boolean {
    const last = this.#seen.get(url);
    return last !== undefined && !last.usable && this.#clock.now() - last.at < AVOID_MS;
  }

  /** Whether nothing recent is known of the origin. */
  stale(url: string): boolean {
    const last = this.#seen.get(url);
    return last === undefined || this.#clock.now() - last.at >= STALE_MS;
  }
}
