/** Who will be let in. Keys are named by their place: what is in API_KEYS is a secret. */
import type { Config } from "../../src/config/config.ts";
import { error, warning, type Finding } from "./finding.ts";

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

export interface DoorParts {
  /** Whether the keys were set before and are not known here. */
  readonly hidden: boolean;
  /** Whether strangers must stay out. */
  readonly production: boolean;
  readonly nowMs: number;
}

/** Finds whether the door is shut, wide open, or about to shut for somebody. */
export function checkDoor({ apiKeys, allowAnonymous }: Config, { hidden, production, nowMs }: DoorParts): Finding[] {
  const found: Finding[] = [];
  if (allowAnonymous) {
    const level = production ? error : warning;
    found.push(level("ALLOW_ANONYMOUS: true. Everybody on the internet may use the GPUs."));
  }
  const keys = [...apiKeys.values()];
  if (keys.length === 0) {
    const shut = !hidden && !allowAnonymous;
    return shut ? [...found, error("API_KEYS: none. The door is shut: every request gets 401.")] : found;
  }
  const expired = keys.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= nowMs);
  if (expired.length === keys.length && !allowAnonymous) {
    return [...found, error("API_KEYS: every key has expired. The door is shut: every request gets 401.")];
  }
  for (const [at, { expiresAt, models }] of keys.entries()) {
    const name = `API_KEYS: key ${at + 1} of ${keys.length}`;
    const days = expiresAt === undefined ? Number.POSITIVE_INFINITY : (expiresAt - nowMs) / DAY_MS;
    if (days <= 0) found.push(warning(`${name} has expired. Remove it.`));
    else if (days <= SOON_DAYS) found.push(warning(`${name} expires within ${Math.ceil(days)} days.`));
    if (models?.length === 0) found.push(warning(`${name} opens no model: its list is empty.`));
  }
  const names = keys.map(({ name }) => name);
  if (new Set(names).size < names.length)
    found.push(warning("API_KEYS: two keys have one name. The log cannot tell them apart."));
  return found;
}
