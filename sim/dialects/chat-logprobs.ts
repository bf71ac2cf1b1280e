import type { TokenText } from "../engine/outputs.ts";
import { numberAt, type JsonObject } from "../json.ts";
import type { DialectName } from "../model.ts";
import { logprobOf, spelling } from "./logprobs.ts";
import type { Answer } from "./wire.ts";

/** The log-probabilities of an output's tokens as chat lists them: an object for each token. */
export function chatLogprobs(answer: Answer, tokens: readonly TokenText[], dialect: DialectName): JsonObject | null {
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

function entry(token: TokenText, dialect: DialectName, rank: number): JsonObject {
  const shown = rank > 0 ? ` ${rank}` : spelling(token, dialect);
  return { token: shown, logprob: logprobOf(token.piece, dialect, rank), bytes: [...Buffer.from(shown)] };
}
