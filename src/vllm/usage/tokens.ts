import { isObject } from "../../core/json/object.ts";
import type { Tokens } from "../../core/machine.ts";

/** Returns the token counts in a `usage` object, or `undefined` when it has no two counts. */
export function readTokens(usage: unknown): Tokens | undefined {
  if (!isObject(usage)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  return typeof prompt === "number" && typeof completion === "number" ? { prompt, completion } : undefined;
}
