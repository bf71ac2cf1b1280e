/** What a delta says, and the spellings of it that are put right wherever they stand. */
import { isObject, type JsonObject } from "../../core/json/object.ts";

/** Returns the delta (or message) itself, or a copy in which reasoning stands under both of its names, each filled. */
export function withBothReasonings(delta: JsonObject): JsonObject {
  const { reasoning, reasoning_content: content } = delta;
  const said = isText(reasoning) ? reasoning : content;
  if (!isText(said) || (reasoning === said && content === said)) return delta;
  return { ...delta, reasoning: said, reasoning_content: said };
}

/**
 * Returns the delta (or message) itself, or a copy in which a legacy `function_call` is the one tool call that it
 * means; `place` is that call's index in a stream.
 */
export function withoutFunctionCall(delta: JsonObject, place: { readonly index?: number }): JsonObject {
  const { tool_calls: calls } = delta;
  if (!isObject(delta["function_call"]) || (Array.isArray(calls) && calls.length > 0)) return delta;
  const { function_call: call, ...rest } = delta;
  return { ...rest, tool_calls: [{ ...place, function: call }] };
}

/**
 * Whether a delta (or message) is an object or left out, and its calls a list or left out: what is passed over unread
 * may be what the answer says.
 */
export function isReadable(delta: unknown): boolean {
  if (!isObject(delta)) return delta === undefined || delta === null;
  const { tool_calls: calls } = delta;
  return calls === undefined || calls === null || Array.isArray(calls);
}

/** Whether the delta holds anything that a reader would miss: text, a call, a field that we do not know. */
export function saysSomething(delta: JsonObject): boolean {
  for (const key in delta) {
    const value = delta[key];
    if (key === "role" || value === null || value === "") continue;
    if (!Array.isArray(value) || value.length > 0) return true;
  }
  return false;
}

/** Returns the number of characters of text, reasoning and arguments in the delta or message, for estimates. */
export function textLength(delta: JsonObject): number {
  const { content, reasoning, reasoning_content: other, tool_calls: calls } = delta;
  let length = lengthOf(content) + (lengthOf(reasoning) || lengthOf(other));
  for (const call of Array.isArray(calls) ? calls : []) {
    if (isObject(call) && isObject(call["function"])) length += lengthOf(call["function"]["arguments"]);
  }
  return length;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
