/** Which settings the Worker is started with, and where each of them was said. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/**
 * Every setting of the Worker, those that it refuses as not built yet included: they must reach it, since a setting
 * that is dropped here would be ignored. A check compares this list with the Worker's own.
 */
export const SETTINGS: readonly string[] = [
  "ORIGINS",
  "ORIGIN_API_KEY",
  "CF_ACCESS_CLIENT_ID",
  "CF_ACCESS_CLIENT_SECRET",
  "API_KEYS",
  "ALLOW_ANONYMOUS",
  "ANONYMOUS_TRUSTED",
  "CORS_ALLOW_ORIGINS",
  "MODELS",
  "HOLD_MS",
  "KEEPALIVE_MS",
  "FIRST_EVENT_TIMEOUT_MS",
  "IDLE_TIMEOUT_MS",
  "ANSWER_TIMEOUT_MS",
  "CLIENT_STALL_TIMEOUT_MS",
  "TOTAL_TIMEOUT_MS",
  "BODY_TIMEOUT_MS",
  "MAX_BODY_BYTES",
  "MAX_FRAME_BYTES",
  "MAX_RESPONSE_BYTES",
  "GIT_COMMIT",
];

export type Given = Readonly<Record<string, string | undefined>>;

/**
 * Returns the settings that were given: the environment before `.dev.vars`. An empty text hides what `.dev.vars` says
 * (`ORIGINS= npm start` is the simulated origin) and is, to the Worker, the same as none.
 */
export function readSettings(environment: Given, devVars: Given): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const name of SETTINGS) {
    const value = environment[name] ?? devVars[name];
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

/** Returns what the file at `path` sets; nothing where there is no such file. */
export function readDevVars(path: string): Given {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}

/** Returns the names in `devVars` that no setting has: a misspelt setting would otherwise be silently without effect. */
export function unknownNames(devVars: Given): string[] {
  return Object.keys(devVars).filter((name) => !SETTINGS.includes(name));
}

/** Returns `settings` for a simulated origin at `url`, with the door open unless the settings say who may come in. */
export function withSimulatedOrigin(settings: Record<string, string>, url: string): Record<string, string> {
  const door = isDoorSet(settings) ? {} : { ALLOW_ANONYMOUS: "true" };
  return { ...settings, ...door, ORIGINS: JSON.stringify([{ url }]) };
}

/** Whether the settings say anything of who may come in. */
function isDoorSet(settings: Given): boolean {
  return Boolean(settings["API_KEYS"]) || Boolean(settings["ALLOW_ANONYMOUS"]);
}
