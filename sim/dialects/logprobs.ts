import type { TokenText } from "../chat/outputs.ts";
import { numberAt, type JsonObject } from "../json.ts";
import { END } from "../text/pieces.ts";
import type { Answer } from "./dialect.ts";

/**
 * The log-probabilities of an output's tokens. Python names the end mark and leaves unfinished characters empty;
 * Rust hides the end mark and shows a replacement character for each byte.
 */
export function logprobsOf(
  answer: Answer,
  tokens: readonly TokenText[],
  dialect: "python" | "rust",
): JsonObject | null {
  if (answer.plan.body["logprobs"] !== true) return null;
  const top = numberAt(answer.plan.body, "top_logprobs") ?? 0;
  return {
    content: tokens.map((token) => {
      const first = entry(token, dialect, 0);
      const others = Array.from({ length: Math.max(0, top - 1) }, (_, rank) => entry(token, dialect, rank + 1));
      return { ...first, top_logprobs: top > 0 ? [{ ...first }, ...others] : [] };
    }),
  };
}

function entry({ piece, text }: TokenText, dialect: "python" | "rust", rank: number): JsonObject {
  const logprob = -8 - (piece.id % 97) / 97 + rank / 8;
  const shown = rank > 0 ? ` ${rank}` : spelling(piece === END, piece.bytes, text, dialect);
  return {
    token: shown,
    logprob: dialect === "rust" ? Number(logprob.toFixed(6)) : logprob,
    bytes: [...Buffer.from(shown)],
  };
}

function spelling(end: boolean, bytes: Uint8Array, text: string, dialect: "python" | "rust"): string {
  if (dialect === "python") return end ? "<|im_end|>" : text;
  return end ? "" : bytes.some((byte) => byte > 127) ? "\uFFFD" : text;
}
