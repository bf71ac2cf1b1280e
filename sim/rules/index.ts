import { promptText } from "../chat/request.ts";
import type { JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import { piecesOf } from "../text/pieces.ts";
import { PYTHON_RULES } from "./python.ts";
import type { Refusal } from "./rule.ts";
import { RUST_RULES } from "./rust.ts";

/** How the model's server refuses a chat request, or undefined. */
export function refusalOf(body: JsonObject, text: string, model: Model): Refusal | undefined {
  const rules = model.dialect === "python" ? PYTHON_RULES : RUST_RULES;
  const request = { model, text, promptTokens: piecesOf(promptText(body)).length };
  for (const rule of rules) {
    const refusal = rule(body, request);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
