import type { Origin } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { OriginHealth } from "./health.ts";
import { look } from "./look.ts";
import type { Fetch } from "../core/fetch.ts";

/** A health check that waits longer than this tells its asker nothing. */
const PROBE_TIMEOUT_MS = 2_000;

/** Looks at vLLM's own `/health` (503 once its engine is dead) and takes note of what it saw. Never throws. */
export async function probe(
  parts: { readonly fetch: Fetch; readonly clock: Clock; readonly health: OriginHealth },
  origin: Origin,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  // The last sight counts as fresh from here on: whoever looks meanwhile neither asks again nor waits.
  parts.health.saw(origin.url, parts.health.usable(origin.url));
  const usable = await look(
    `${origin.url}/health`,
    { ...parts, fetch: origin.fetch ?? parts.fetch, headers, withinMs: PROBE_TIMEOUT_MS },
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
  );
  parts.health.saw(origin.url, usable ?? false);
}
