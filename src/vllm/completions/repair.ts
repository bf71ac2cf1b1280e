/** The completions stream and the whole completion that every client should have had. */
import type { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json/object.ts";
import { unreadable } from "../choice.ts";
import { ChoicesRepair, type ChoicesParts } from "../choices.ts";
import { finishFailure, readFinish } from "../finish.ts";
import type { Repair } from "../repair.ts";
import { repairWhole } from "../whole.ts";
import { CompletionChoice } from "./choice.ts";

export type CompletionParts = Omit<ChoicesParts, "makeChoice">;

export function repairCompletions(parts: CompletionParts): Repair {
  return new ChoicesRepair({ ...parts, makeChoice: (index) => new CompletionChoice(index) });
}

/** Returns the answer itself where it is right as it is, else a repaired copy; or the failure that it stands for. */
export function repairWholeCompletion(answer: JsonObject, parts: CompletionParts): JsonObject | GatewayError {
  return repairWhole(answer, parts, { repairChoice, lengthOf });
}

function repairChoice(choice: JsonObject, limited: boolean): JsonObject | GatewayError {
  const told = readFinish(choice["finish_reason"]);
  const failure = told === undefined ? undefined : finishFailure(told);
  if (failure) return failure;
  const text = choice["text"] ?? "";
  if (typeof text !== "string") return unreadable();
  if (told !== undefined && text === choice["text"]) return choice;
  return { ...choice, text, finish_reason: told ?? (limited ? "length" : "stop") };
}

function lengthOf({ text }: JsonObject): number {
  return typeof text === "string" ? text.length : 0;
}
