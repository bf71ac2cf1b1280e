import type { Operation } from "../engine/operation.ts";
import type { JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import { PYTHON_RULES } from "./python.ts";
import type { Refusal } from "./rule.ts";
import { RUST_RULES } from "./rust.ts";

/** How the model's server refuses a request, or undefined. */
export function refusalOf(operation: Operation, body: JsonObject, text: string, model: Model): Refusal | undefined {
  const rules = model.dialect === "python" ? PYTHON_RULES : RUST_RULES;
  const prompts = operation.prompts(body);
  const promptTokens = Math.max(0, ...prompts.map((prompt) => prompt.length));
  for (const rule of rules[operation.name]) {
    const refusal = rule(body, { model, text, prompts, promptTokens });
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
