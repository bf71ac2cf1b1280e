import { isObject } from "../../core/json/object.ts";
import type { Usage } from "../../events/usage.ts";
import { readTokens } from "./tokens.ts";

/** Returns what a mended `usage` object says, or `undefined` when it has no two counts. */
export function readUsage(usage: unknown): Usage | undefined {
  const tokens = readTokens(usage);
  if (!tokens || !isObject(usage)) return undefined;
  return {
    ...tokens,
    cached: countIn(usage["prompt_tokens_details"], "cached_tokens"),
    written: countIn(usage["prompt_tokens_details"], "cache_write_tokens"),
    reasoning: countIn(usage["completion_tokens_details"], "reasoning_tokens"),
    estimated: usage["estimated"] === true,
  };
}

function countIn(details: unknown, key: string): number | undefined {
  const count = isObject(details) ? details[key] : undefined;
  return typeof count === "number" ? count : undefined;
}
