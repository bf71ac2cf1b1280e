import type { OperationName } from "../engine/operation.ts";
import { CALLS } from "./calls.ts";
import { CONTENTS } from "./contents.ts";
import { CUTS } from "./cuts.ts";
import { ENDINGS } from "./endings.ts";
import { ERROR_ANSWERS } from "./error-answers.ts";
import type { FaultTable, PlacedFault } from "./fault.ts";
import { FIRST_FRAMES } from "./first-frames.ts";
import { LOOSE_CALLS } from "./loose-calls.ts";
import { NO_ANSWER } from "./no-answer.ts";
import { SPELLINGS } from "./spelling.ts";
import { USAGES } from "./usages.ts";
import { CHAT_ONLY, EVERYWHERE, STREAMED } from "./where.ts";
import { WHOLES } from "./whole.ts";

export type { PlacedFault } from "./fault.ts";

/** Every family of faults, with the operations in which it occurs; a fault may say otherwise for itself. */
const FAMILIES: readonly (readonly [FaultTable, readonly OperationName[]])[] = [
  [NO_ANSWER, EVERYWHERE],
  [ERROR_ANSWERS, EVERYWHERE],
  [FIRST_FRAMES, STREAMED],
  [CUTS, STREAMED],
  [SPELLINGS, STREAMED],
  [CONTENTS, STREAMED],
  [ENDINGS, STREAMED],
  [USAGES, STREAMED],
  [LOOSE_CALLS, CHAT_ONLY],
  [CALLS, CHAT_ONLY],
  [WHOLES, EVERYWHERE],
];

/** Every fault by its name: `sim/NAME` serves it. */
export const FAULTS: Readonly<Record<string, PlacedFault>> = Object.fromEntries(
  FAMILIES.flatMap(([table, operations]) =>
    Object.entries(table).map(([name, fault]) => [name, { ...fault, in: fault.in ?? operations }]),
  ),
);

/** Returns the model of each fault, in both dialects. */
export function faultModels(): string[] {
  return Object.keys(FAULTS).flatMap((name) => [`sim/${name}`, `sim/${name}-rust`]);
}
