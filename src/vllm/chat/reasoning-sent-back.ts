import { editObject, memberText, RawJson, type Edits } from "../../core/json/edit.ts";
import { elements } from "../../core/json/members.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";

/**
 * Returns the edits that leave each message its reasoning under one name. An answer has it under both, and clients send
 * it back as it came; vLLM's Rust front end takes the one for the other and refuses both as a duplicate.
 */
export function underOneName({ text, json }: { readonly text: string; readonly json: JsonObject }): Edits {
  const { messages } = json;
  if (!Array.isArray(messages) || !messages.some(hasBoth)) return {};
  const texts = elements(memberText(text, "messages") ?? "[]");
  const edited = texts.map((each, at) => (hasBoth(messages[at]) ? editObject(each, oneName(messages[at])) : each));
  return { messages: new RawJson(`[${edited.join(",")}]`) };
}

function hasBoth(message: unknown): message is JsonObject {
  return isObject(message) && "reasoning" in message && "reasoning_content" in message;
}

function oneName({ reasoning, reasoning_content: older }: JsonObject): Edits {
  return { reasoning: reasoning || older, reasoning_content: undefined };
}
