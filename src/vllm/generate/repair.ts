/** The generate stream that every client should have had: one request id, usage as asked, and only the origin's own finish. */
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json/object.ts";
import { unreadable, wholeChoices } from "../choice.ts";
import { ChoicesRepair, type ChoicesParts } from "../choices.ts";
import { readFinish } from "../finish.ts";
import { cutStream, type Repair } from "../repair.ts";
import { isSame } from "../whole.ts";
import { GenerateChoice } from "./choice.ts";

export type GenerateParts = Omit<ChoicesParts, "makeChoice">;

export function repairGenerate(parts: GenerateParts): Repair {
  // Python writes the null on every chunk: taking it out would rewrite them all.
  return new ChoicesRepair({ ...parts, keepsNullUsage: true, makeChoice: () => new GenerateChoice() });
}

/**
 * Returns the answer itself, or the failure that an answer without a finish for each of its choices is. Where the origin
 * names its model, it is `model`, the client's own name.
 */
export function repairWholeGenerate(
  answer: JsonObject,
  choices: number,
  model: string | undefined,
): JsonObject | GatewayError {
  const came = wholeChoices(answer, choices);
  if (came instanceof GatewayError) return came;
  if (!came.every((choice) => readFinish(choice["finish_reason"]) !== undefined)) return cutStream();
  if (!came.every((choice) => Array.isArray(choice["token_ids"]))) return unreadable();
  const right = isSame(came, answer["choices"]) ? answer : { ...answer, choices: came };
  return model === undefined || !("model" in right) || right["model"] === model ? right : { ...right, model };
}
