import { numberAt, type Json } from "../json.ts";
import { textOf, type Piece } from "../text/pieces.ts";
import { rankOf } from "./logprobs.ts";
import type { Answer } from "./wire.ts";

/**
 * `prompt_logprobs` where they were asked for: null for the first token, then one entry by its id for each, and one
 * more for each other token that was asked for.
 */
export function promptLogprobs(
  { plan: { sampling, choices } }: Answer,
  choice = 0,
  { top = numberAt(sampling, "prompt_logprobs"), decode = (piece: Piece) => textOf([piece]) } = {},
): Json {
  if (top === undefined) return null;
  return (choices[choice]?.prompt ?? []).map((piece, place) => {
    if (place === 0) return null;
    const others = Array.from({ length: Math.max(0, top) }, (_, rank): Piece => ({
      ...piece,
      id: piece.id + rank + 1,
    }));
    const entries = [piece, ...others].map((each) => [
      each.id,
      { logprob: -8 - (each.id % 89) / 89, rank: rankOf(each), decoded_token: decode(each) },
    ]);
    return Object.fromEntries(entries);
  });
}
