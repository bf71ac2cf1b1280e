import type { Clock } from "../core/clock.ts";
import type { Fetch } from "../core/fetch.ts";

export interface Look {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly headers: Readonly<Record<string, string>>;
  /** How long it may take in all, in milliseconds. */
  readonly withinMs: number;
}

/**
 * Asks an origin something about itself: returns what `read` makes of the response to a GET, or `undefined` when that
 * fails in any way or takes too long. Never throws.
 */
export async function look<Seen>(
  url: string,
  { fetch, clock, headers, withinMs }: Look,
  read: (response: Response) => Promise<Seen>,
): Promise<Seen | undefined> {
  const late = new AbortController();
  const callOff = clock.after(withinMs, () => late.abort());
  try {
    return await read(await fetch(url, { headers, signal: late.signal, redirect: "manual", cache: "no-store" }));
  } catch {
    return undefined;
  } finally {
    callOff();
  }
}
