/** The generate stream that every client should have had: one request id, usage as asked, and only the origin's own finish. */
import type { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json/object.ts";
import { choicesOf } from "../choice.ts";
import { ChoicesRepair, type ChoicesParts } from "../choices.ts";
import { readFinish } from "../finish.ts";
import { cutStream, emptyStream, type Repair } from "../repair.ts";
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
  const came = choicesOf(answer);
  if (came.length === 0) return emptyStream();
  const finished = came.filter((choice) => readFinish(choice["finish_reason"]) !== undefined);
  if (finished.length < choices) return cutStream();
  return model === undefined || !("model" in answer) || answer["model"] === model ? answer : { ...answer, model };
}
