import type { JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import type { Piece } from "../text/pieces.ts";
import type { Plan } from "./plan.ts";

/** The operations that stream tokens. */
export type GeneratingName = "chat" | "completions" | "generate";

/** What a fault can spoil: a stream of tokens, or the JSON answer of a route beside them. */
export type OperationName = GeneratingName | "relay";

/** How an operation's requests are read; its answers are the dialects' business. */
export interface Operation {
  name: GeneratingName;
  /** The prompts that the model is given, as tokens. */
  prompts(body: JsonObject): Piece[][];
  plan(body: JsonObject, model: Model): Plan;
}
