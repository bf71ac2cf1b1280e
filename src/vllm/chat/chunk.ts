/** The chunks of `/v1/chat/completions` (vLLM 0.32, both dialects), as far as we look into them. */
import { isObject, type JsonObject } from "../../core/json/object.ts";

/** Returns the chunk's choices; none where they are missing or not a list of objects. */
export function choicesOf(chunk: JsonObject): JsonObject[] {
  const choices: unknown[] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
  return choices.filter((choice) => isObject(choice));
}

/** Whether the chunk does no more than open a choice: such a chunk may still be followed by an error. */
export function isRoleOnly(chunk: JsonObject): boolean {
  return !chunk["usage"] && choicesOf(chunk).every(opensOnly);
}

function opensOnly(choice: JsonObject): boolean {
  if (choice["finish_reason"]) return false;
  const delta = isObject(choice["delta"]) ? choice["delta"] : {};
  return Object.entries(delta).every(([key, value]) => key === "role" || value === null || value === "");
}
