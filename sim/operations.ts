import { CHAT } from "./chat/plan.ts";
import { COMPLETIONS } from "./completions/plan.ts";
import type { GeneratingName, Operation } from "./engine/operation.ts";
import { GENERATE } from "./generate/plan.ts";

/** The operations that stream tokens, by name. */
export const OPERATIONS: Readonly<Record<GeneratingName, Operation>> = {
  chat: CHAT,
  completions: COMPLETIONS,
  generate: GENERATE,
};
