import type { JsonObject } from "../json.ts";
import type { Answer } from "./dialect.ts";

/** The three counts that both dialects send. */
export function counts(answer: Answer, completion: number): JsonObject {
  const prompt = answer.plan.prompt.length;
  return { prompt_tokens: prompt, total_tokens: prompt + completion, completion_tokens: completion };
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
