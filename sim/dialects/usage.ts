import { promptTokens } from "../engine/plan.ts";
import type { JsonObject } from "../json.ts";
import type { Answer } from "./wire.ts";

/** The three counts that both dialects send: of one choice with its own prompt, or of all. */
export function counts({ plan }: Answer, completion: number, choice?: number): JsonObject {
  const prompt = choice === undefined ? promptTokens(plan) : (plan.choices[choice]?.prompt.length ?? 0);
  return { prompt_tokens: prompt, total_tokens: prompt + completion, completion_tokens: completion };
}

/** Python's usage in completions and generate: the cached tokens are in the last chunk only. */
export function pythonLastUsage(answer: Answer, completion: number): JsonObject {
  const { cached, details } = answer.switches;
  const shown = details === true ? { prompt_tokens_details: { cached_tokens: cached ?? 0 } } : {};
  return { ...counts(answer, completion), ...shown };
}

/** Python's usage in whole answers of completions and generate. */
export function pythonWholeUsage(answer: Answer, completion: number): JsonObject {
  const { cached, details } = answer.switches;
  const shown = { cached_tokens: cached ?? 0, created_cache_tokens: null, multimodal_tokens: null };
  const prompt_tokens_details = details === true ? shown : null;
  return { ...counts(answer, completion), prompt_tokens_details, completion_tokens_details: null };
}

/** Rust's usage: both details always there, the prompt's only when something was cached, and only at the end. */
export function rustUsage(answer: Answer, completion: number, reasoning: number, last: boolean): JsonObject {
  const { cached, details } = answer.switches;
  const shown = last && details === true && cached !== undefined && cached > 0;
  return {
    ...counts(answer, completion),
    prompt_tokens_details: shown ? { cached_tokens: cached } : null,
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** Which usage a stream carries, by what was asked and what the model's name says. */
export function usageWanted(
  options: JsonObject | undefined,
  mode: "none" | "final" | "continuous" | "forced" | undefined,
): { last: boolean; each: boolean } {
  if (mode === "none") return { last: false, each: false };
  if (mode === "forced") return { last: true, each: true };
  const last = options?.["include_usage"] === true;
  // `continuous_usage_stats` alone gives nothing: it is gated by `include_usage`.
  const each = last && (mode === "continuous" || options?.["continuous_usage_stats"] === true);
  return { last, each: mode === "final" ? false : each };
}
