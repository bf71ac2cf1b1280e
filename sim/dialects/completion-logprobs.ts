import type { TokenText } from "../engine/outputs.ts";
import { numberAt, type JsonObject } from "../json.ts";
import type { DialectName } from "../model.ts";
import { textOf, type Piece } from "../text/pieces.ts";
import { logprobOf, spelling } from "./logprobs.ts";
import type { Answer } from "./wire.ts";

/**
 * The log-probabilities of tokens as completions list them: four lists of the same length.
 *
 * @param echoed the prompt's tokens where they stand before the others; the first one has no probability
 * @param start characters before the first token of the answer
 */
export function completionLogprobs(
  answer: Answer,
  tokens: readonly TokenText[],
  dialect: DialectName,
  { echoed = [], start }: { echoed?: readonly Piece[]; start: number },
): JsonObject | null {
  const top = numberAt(answer.plan.body, "logprobs");
  if (top === undefined) return null;
  const prompt = placed(echoed);
  const listed = [...prompt, ...tokens];
  const unknown = (place: number): boolean => place === 0 && prompt.length > 0;
  const lists = {
    text_offset: listed.map(({ at }, place) => (place < prompt.length ? at : at + start)),
    token_logprobs: listed.map(({ piece }, place) => (unknown(place) ? null : logprobOf(piece, dialect))),
    tokens: listed.map((token) => spelling(token, dialect)),
    top_logprobs: listed.map((token, place) => (unknown(place) ? null : likeliest(token, dialect, top))),
  };
  if (dialect === "python") return lists;
  const { text_offset, token_logprobs, ...rest } = lists;
  return { tokens: rest.tokens, token_logprobs, top_logprobs: rest.top_logprobs, text_offset };
}

/** The token itself and the `top` likeliest others. */
function likeliest(token: TokenText, dialect: DialectName, top: number): JsonObject {
  const others = Array.from({ length: top }, (_, rank) => [` ${rank}`, logprobOf(token.piece, dialect, rank + 1)]);
  return Object.fromEntries([[spelling(token, dialect), logprobOf(token.piece, dialect)], ...others]);
}

/** Each token with its place in their joined text. */
function placed(pieces: readonly Piece[]): TokenText[] {
  let at = 0;
  return pieces.map((piece) => {
    const text = textOf([piece]);
    const token = { piece, text, at };
    at += text.length;
    return token;
  });
}
