import { CONTENTS } from "./contents.ts";
import { CUTS } from "./cuts.ts";
import { ENDINGS } from "./endings.ts";
import { ERROR_ANSWERS } from "./error-answers.ts";
import type { FaultTable } from "./fault.ts";
import { FIRST_FRAMES } from "./first-frames.ts";
import { NO_ANSWER } from "./no-answer.ts";
import { SPELLINGS } from "./spelling.ts";
import { CALLS } from "./calls.ts";
import { LOOSE_CALLS } from "./loose-calls.ts";
import { USAGES } from "./usages.ts";
import { WHOLES } from "./whole.ts";

export type { Fault } from "./fault.ts";

/** Every fault by its name: `sim/NAME` serves it. */
export const FAULTS: FaultTable = {
  ...NO_ANSWER,
  ...ERROR_ANSWERS,
  ...FIRST_FRAMES,
  ...CUTS,
  ...SPELLINGS,
  ...CONTENTS,
  ...ENDINGS,
  ...USAGES,
  ...LOOSE_CALLS,
  ...CALLS,
  ...WHOLES,
};
