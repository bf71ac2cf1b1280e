import type { Config } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import type { OriginHealth } from "../origin/health.ts";
import type { ModelLists } from "../origin/models.ts";
import type { Fetch } from "../core/fetch.ts";
import type { Dataset } from "./metrics.ts";

/** What every request works with. Nothing in it belongs to one request. */
export interface Gateway {
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly newId: NewId;
  readonly random: () => number;
  readonly health: OriginHealth;
  readonly models: ModelLists;
  readonly log: (line: string) => void;
}

/** What one invocation of the Worker brings along. */
export interface Invocation {
  /** Returns the settings; throws `misconfigured`. */
  readonly config: () => Config;
  /** Where requests are counted; `undefined` where they are not. */
  readonly metrics: Dataset | undefined;
  /** Keeps the invocation alive until `task` is over, also after the client has left. */
  readonly waitUntil: (task: Promise<unknown>) => void;
}
