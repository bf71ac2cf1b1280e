import type { Origin } from "../config/config.ts";
import { GatewayError } from "../core/errors.ts";
import type { OriginHealth } from "./health.ts";

/** What a choice rests on; `random` gives a number from 0 up to but not including 1. */
export interface Choosing {
  readonly origins: readonly Origin[];
  readonly health: OriginHealth;
  readonly random: () => number;
}

/**
 * Returns one of the origins that serve `model` (the origin's own name; `undefined` fits all), by weight, passing over
 * those that have just failed and `tried` while there is another. Throws `model_not_found` when none serves it.
 */
export function choose(choosing: Choosing, model: string | undefined, tried?: Origin): Origin {
  const serving = choosing.origins.filter((origin) => model === undefined || (origin.models?.includes(model) ?? true));
  const untried = serving.filter((origin) => origin !== tried);
  const healthy = untried.filter((origin) => !choosing.health.avoid(origin.url));
  const candidates = [healthy, untried, serving].find((some) => some.length > 0) ?? [];
  let ticket = choosing.random() * candidates.reduce((sum, origin) => sum + origin.weight, 0);
  for (const origin of candidates) {
    ticket -= origin.weight;
    if (ticket < 0) return origin;
  }
  const last = candidates.at(-1);
  if (last) return last;
  throw new GatewayError("model_not_found", "The model does not exist, or no origin serves it.", { param: "model" });
}
