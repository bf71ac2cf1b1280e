import type { Plan } from "../chat/plan.ts";
import type { Json } from "../json.ts";

/** `prompt_logprobs` where they were asked for: null for the first token, then one entry by its id for each. */
export function promptLogprobs(plan: Plan): Json {
  if (typeof plan.body["prompt_logprobs"] !== "number") return null;
  return plan.prompt.map((piece, place) => {
    if (place === 0) return null;
    const decoded = piece.special ? "" : Buffer.from(piece.bytes).toString();
    return { [piece.id]: { logprob: -8 - (piece.id % 89) / 89, rank: (piece.id % 4000) + 1, decoded_token: decoded } };
  });
}
