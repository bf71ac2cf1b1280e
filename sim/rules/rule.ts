import type { Failure } from "../dialects/dialect.ts";
import type { JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import type { Piece } from "../text/pieces.ts";

/**
 * When a refusal comes: `early` before the head; `late` as the first event of a streamed answer (a real status when
 * not streaming); `after-role` the same behind a role chunk.
 */
export type When = "early" | "late" | "after-role";

export type Refusal = Failure & { when?: When };

/** One thing that the server checks: what is wrong with the request, or undefined. */
export type Rule = (body: JsonObject, request: RuleRequest) => Refusal | undefined;

export interface RuleRequest {
  model: Model;
  /** The body as it was sent: Rust's messages name places in it. */
  text: string;
  prompts: readonly (readonly Piece[])[];
  /** The tokens of the longest prompt. */
  promptTokens: number;
}
