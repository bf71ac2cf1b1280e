import type { JsonObject } from "../../../core/json/object.ts";
import { refuse } from "../../../vllm/rules.ts";
import { PASSED } from "./passed.ts";

/** More than any schema has, and less than what JSON is written with without running out of stack, here and in Python. */
const DEEPEST = 500;

/** The fields of which something is sent on as it is. */
const SENT = [
  "messages",
  "tools",
  "output_config",
  "output_format",
  "chat_template_kwargs",
  "reasoning_effort",
  ...PASSED,
];

/**
 * Throws `invalid_request` for a field that is nested deeper than JSON can be written again. What is translated is
 * written anew, unlike what passes on as text.
 */
export function checkNesting(request: JsonObject): void {
  for (const field of SENT) {
    if (isDeep(request[field])) throw refuse(field, `"${field}" is nested deeper than ${DEEPEST} levels.`);
  }
}

/** Goes down level by level: a walk that calls itself would meet the very end that it looks for. */
function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    const next: unknown[] = [];
    for (const holder of level) {
      if (typeof holder !== "object" || holder === null) continue;
      for (const held of Object.values(holder)) if (typeof held === "object" && held !== null) next.push(held);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
