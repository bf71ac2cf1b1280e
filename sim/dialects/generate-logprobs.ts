import type { TokenText } from "../engine/outputs.ts";
import { numberAt, type JsonObject } from "../json.ts";
import type { DialectName } from "../model.ts";
import type { Piece } from "../text/pieces.ts";
import { logprobOf, rankOf } from "./logprobs.ts";
import type { Answer } from "./wire.ts";

/** The log-probabilities of tokens as generate lists them: by id, without any text. */
export function generateLogprobs(
  { plan }: Answer,
  tokens: readonly TokenText[],
  dialect: DialectName,
): JsonObject | null {
  const top = numberAt(plan.sampling, "logprobs");
  if (top === undefined) return null;
  return {
    content: tokens.map(({ piece }) => {
      const first = entry(piece, dialect);
      const others = Array.from({ length: Math.max(0, top - 1) }, (_, rank) => ({
        token_id: rank,
        logprob: logprobOf(piece, dialect, rank + 1),
        rank: rank + 1,
      }));
      return { ...first, top_logprobs: top > 0 ? [{ ...first }, ...others] : [] };
    }),
  };
}

function entry(piece: Piece, dialect: DialectName): JsonObject {
  return { token_id: piece.id, logprob: logprobOf(piece, dialect), rank: rankOf(piece) };
}
