import { GatewayError } from "../core/errors.ts";
import type { JsonObject } from "../core/json/object.ts";
import { wholeChoices } from "./choice.ts";
import type { ChoicesParts } from "./choices.ts";
import { UsageLedger } from "./usage/ledger.ts";

export interface WholeRules {
  /** Returns the choice itself where it is right; `limited` says that its tokens reached the limit. */
  readonly repairChoice: (choice: JsonObject, limited: boolean) => JsonObject | GatewayError;
  /** Returns the characters that the choice says, for an estimate. */
  readonly lengthOf: (choice: JsonObject) => number;
}

/**
 * A whole answer by the same rules as a stream. Returns the answer itself where it is right as it is, else a repaired
 * copy; or the failure that it stands for.
 */
export function repairWhole(
  answer: JsonObject,
  parts: Omit<ChoicesParts, "makeChoice">,
  { repairChoice, lengthOf }: WholeRules,
): JsonObject | GatewayError {
  const stamped = parts.envelope.stamp(answer);
  const came = wholeChoices(stamped, parts.choices);
  if (came instanceof GatewayError) return came;
  const ledger = new UsageLedger();
  ledger.countPrompt(stamped["prompt_token_ids"]);
  const usage = ledger.close(stamped["usage"]);
  const choices: JsonObject[] = [];
  let completion = 0;
  for (const [at, choice] of came.entries()) {
    ledger.countIds(at, choice["token_ids"]);
    completion += lengthOf(choice);
    const tokens = ledger.completionOf(at, came.length === 1) ?? 0;
    const repaired = repairChoice(choice, parts.maxTokens !== undefined && tokens >= parts.maxTokens);
    if (repaired instanceof GatewayError) return repaired;
    choices.push(repaired);
  }
  const mostTokens = (parts.maxTokens ?? Number.POSITIVE_INFINITY) * came.length;
  const told = usage ?? ledger.settle({ prompt: parts.promptLength(), completion, mostTokens });
  const same = told === stamped["usage"] && isSame(choices, stamped["choices"]);
  return same ? stamped : { ...stamped, choices, usage: told };
}

/** Whether `list` holds the very entries of `came`, in order. */
export function isSame(list: readonly unknown[], came: unknown): boolean {
  return Array.isArray(came) && list.length === came.length && list.every((entry, at) => entry === came[at]);
}
