import { isObject, type JsonObject } from "../../core/json/object.ts";

/**
 * Returns `usage` itself when its numbers hold together, a copy in which they do where they can be made to, or
 * `undefined` where they cannot. What was written to the cache gets OpenAI's name for it beside vLLM's.
 */
export function mendUsage(usage: JsonObject): JsonObject | undefined {
  const total = count(usage["total_tokens"]);
  const prompt = count(usage["prompt_tokens"]) ?? difference(total, count(usage["completion_tokens"]));
  const completion = count(usage["completion_tokens"]) ?? difference(total, prompt);
  if (prompt === undefined || completion === undefined || !Number.isSafeInteger(prompt + completion)) return undefined;
  return withFields(usage, {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: mendPromptDetails(usage["prompt_tokens_details"], prompt),
    completion_tokens_details: mendCompletionDetails(usage["completion_tokens_details"], completion),
  });
}

/** Cached tokens are part of the prompt, and those written to the cache are among the rest of it. */
function mendPromptDetails(details: unknown, prompt: number): unknown {
  if (!isObject(details)) return details;
  const cached = atMost(details["cached_tokens"], prompt);
  const written = atMost(details["created_cache_tokens"], prompt - (cached ?? 0));
  const known = written ?? atMost(details["cache_write_tokens"], prompt - (cached ?? 0));
  // vLLM's own name may be null, as its whole answers have it: nobody else reads that one.
  const own = details["created_cache_tokens"] === null ? null : written;
  return withFields(details, { cached_tokens: cached, created_cache_tokens: own, cache_write_tokens: known });
}

function mendCompletionDetails(details: unknown, completion: number): unknown {
  if (!isObject(details)) return details;
  return withFields(details, { reasoning_tokens: atMost(details["reasoning_tokens"], completion) });
}

/** Returns `object` itself when it has all `fields` already; one that is `undefined` is left out. */
function withFields(object: JsonObject, fields: JsonObject): JsonObject {
  if (hasFields(object, fields)) return object;
  const mended = { ...object, ...fields };
  return Object.fromEntries(Object.entries(mended).filter(([, value]) => value !== undefined));
}

function hasFields(object: JsonObject, fields: JsonObject): boolean {
  for (const key in fields) if (object[key] !== fields[key]) return false;
  return true;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function difference(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined ? undefined : count(total - part);
}

function atMost(value: unknown, limit: number): number | undefined {
  const counted = count(value);
  return counted === undefined ? undefined : Math.min(counted, limit);
}
