import type { TokenText } from "../engine/outputs.ts";
import type { DialectName } from "../model.ts";
import { END, type Piece } from "../text/pieces.ts";

/** An invented log-probability, always the same for a token; the ranks above it are likelier. */
export function logprobOf(piece: Piece, dialect: DialectName, rank = 0): number {
  const logprob = -8 - (piece.id % 97) / 97 + rank / 8;
  return dialect === "rust" ? Number(logprob.toFixed(6)) : logprob;
}

/** An invented rank of a token among all others. */
export function rankOf(piece: Piece): number {
  return (piece.id % 4000) + 1;
}

/**
 * How log-probabilities name a token. Python names the end mark and leaves unfinished characters empty; Rust hides
 * the end mark and shows a replacement character for each byte.
 */
export function spelling({ piece, text }: TokenText, dialect: DialectName): string {
  if (dialect === "python") return piece === END ? "<|im_end|>" : text;
  return piece === END ? "" : piece.bytes.some((byte) => byte > 127) ? "\uFFFD" : text;
}
