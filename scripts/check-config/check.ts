import { readConfig, type Config } from "../../src/config/config.ts";
import { checkDoor } from "./door.ts";
import { checkEnvironment } from "./environment.ts";
import { note, type Finding } from "./finding.ts";
import type { Given } from "./given.ts";
import { checkLimits } from "./limits.ts";
import { checkOrigins } from "./origins.ts";
import { checkSettings, environmentOf } from "./settings.ts";

/** Environments that strangers are let into at the owner's own risk. */
const TRIALS: readonly string[] = ["", "staging"];

const NOTHING = note("nothing is set there, so there was nothing to check. What would be deployed: --env NAME.");

/**
 * Returns everything that is wrong or odd in an environment. The origins, the door and the limits are judged once
 * every setting can be read; at the top level, which is never deployed, they may be anything.
 */
export function check(given: Given, nowMs: number): Finding[] {
  if (given.environment === "" && isEmpty(given)) return [NOTHING];
  const settings = checkSettings(given);
  const around = checkEnvironment(given);
  const config = given.environment === "" ? undefined : configOf(given);
  if (config === undefined) return [...settings, ...around];
  const production = !TRIALS.includes(given.environment);
  return [
    ...settings,
    ...checkOrigins(config, given.hidden.includes("ORIGINS")),
    ...checkDoor(config, { hidden: given.hidden.includes("API_KEYS"), production, nowMs }),
    ...checkLimits(config.limits),
    ...around,
  ];
}

function isEmpty({ vars, secrets, hidden }: Given): boolean {
  return Object.keys(vars).length + Object.keys(secrets).length + hidden.length === 0;
}

/** Returns the settings as the Worker has them; nothing where it would not start. */
export function configOf(given: Given): Config | undefined {
  try {
    return readConfig(environmentOf(given));
  } catch {
    // What is wrong has been said, one sentence for each setting.
    return undefined;
  }
}
