/**
 * The chat stream that every client should have had: role, reasoning, text, calls and finish once and in that order for
 * each choice, then usage if it was asked for.
 */
import { ChoicesRepair, type ChoicesParts } from "../choices.ts";
import type { Repair } from "../repair.ts";
import { ChatChoice } from "./choice.ts";
import type { ToolCallParts } from "./tool-calls.ts";

export interface ChatRepairParts extends Omit<ChoicesParts, "makeChoice">, ToolCallParts {
  readonly maxWaiting: number;
}

export function repairChat(parts: ChatRepairParts): Repair {
  return new ChoicesRepair({ ...parts, makeChoice: (index, waiting) => new ChatChoice(index, parts, waiting) });
}
