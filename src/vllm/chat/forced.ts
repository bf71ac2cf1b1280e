import { editObject, memberText, RawJson, type Edits } from "../../core/json/edit.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";

/**
 * Returns the edits that tell the model not to think where the request leaves it no choice of what to say: a reasoning
 * parser may wait for the end of a thought that is not there, and swallow the answer. Only where `thinking` is false, and
 * unless the client has said itself whether to think.
 */
export function withoutThinkingWhenForced(
  { text, json }: { readonly text: string; readonly json: JsonObject },
  thinking: boolean | undefined,
): Edits {
  if (thinking !== false || !isForced(json)) return {};
  const kwargs = memberText(text, "chat_template_kwargs");
  if (kwargs === undefined || !kwargs.startsWith("{")) return { chat_template_kwargs: { enable_thinking: false } };
  const { chat_template_kwargs: given } = json;
  if (isObject(given) && "enable_thinking" in given) return {};
  return { chat_template_kwargs: new RawJson(editObject(kwargs, { enable_thinking: false })) };
}

/** Whether the answer must be a tool call, or of a given structure. */
function isForced({
  tool_choice: choice,
  response_format: format,
  structured_outputs: structure,
}: JsonObject): boolean {
  const structured = isObject(format) && format["type"] !== "text";
  return choice === "required" || isObject(choice) || structured || isObject(structure);
}
