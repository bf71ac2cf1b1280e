import * as z from "zod/mini";
import type { JsonObject } from "../../../core/json/object.ts";
import { check } from "../../../vllm/rules.ts";
import { broken, readObject, readString } from "./fields.ts";

const LEAST_BUDGET = 1_024;

const RULE = `must be a whole number, ${LEAST_BUDGET} or more`;
const budget = z.lazy(() => z.number(RULE).check(z.refine(Number.isInteger, RULE), z.gte(LEAST_BUDGET, RULE)));

export interface Thinking {
  /** The members of `chat_template_kwargs` that turn it on or off; none where the client leaves it to the model. */
  readonly kwargs: JsonObject;
  /** Whether the client wants thinking blocks without their text. */
  readonly omitted: boolean;
}

/**
 * Returns what the client says of thinking. Which member a template knows depends on the model's family, and the others
 * are ignored. The budget is checked and not sent: a vLLM without a reasoning configuration refuses it.
 * It may be more than `max_tokens`, as it is where thinking goes on between calls.
 */
export function readThinking(request: JsonObject): Thinking {
  const thinking = readObject(request, "thinking", "");
  if (!thinking) return { kwargs: {}, omitted: false };
  const on = isOn(thinking);
  const omitted = readString(thinking, "display", "thinking") === "omitted";
  return { kwargs: { enable_thinking: on, thinking: on }, omitted };
}

function isOn(thinking: JsonObject): boolean {
  const { type, budget_tokens: tokens } = thinking;
  switch (type) {
    case "enabled":
      check(budget, tokens, "thinking.budget_tokens");
      return true;
    case "adaptive":
    case "between_tools":
      return true;
    case "disabled":
      return false;
    default:
      throw broken("thinking", "type", 'must be "enabled", "adaptive", "between_tools" or "disabled"');
  }
}
