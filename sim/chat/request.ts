import { isObject, listAt, objectAt, stringAt, type Json, type JsonObject } from "../json.ts";

/** The last user message's text: a string, or its text parts joined. Empty where there is none. */
export function lastUserText(body: JsonObject): string {
  const last = listAt(body, "messages").findLast((message) => stringAt(message, "role") === "user");
  return contentText(isObject(last) ? last["content"] : undefined);
}

/** A message's content as text. */
export function contentText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => stringAt(part, "text") ?? "").join("");
}

/** The prompt as a chat template renders it; its tokens are what the usage counts. */
export function promptText(body: JsonObject): string {
  const turns = listAt(body, "messages").map((message) => {
    const calls = isObject(message) && message["tool_calls"] !== undefined ? JSON.stringify(message["tool_calls"]) : "";
    const content = contentText(isObject(message) ? message["content"] : undefined);
    return `<|im_start|>${stringAt(message, "role") ?? "user"}\n${content}${calls}<|im_end|>\n`;
  });
  const tools = listAt(body, "tools");
  const system = tools.length > 0 ? `<|im_start|>system\nTools: ${JSON.stringify(tools)}<|im_end|>\n` : "";
  return `${system}${turns.join("")}<|im_start|>assistant\n`;
}

/** A named tool's name, or "auto", "required", "none". Without a choice: auto with tools, none without. */
export function toolChoice(body: JsonObject): { named: string } | "auto" | "required" | "none" {
  const choice = body["tool_choice"];
  const named = stringAt(objectAt(choice, "function"), "name");
  if (named !== undefined) return { named };
  if (choice === "required" || choice === "none" || choice === "auto") return choice;
  return listAt(body, "tools").length > 0 ? "auto" : "none";
}

/** Whether the request asks for thinking, forbids it, or does not say. */
export function thinkingAsked(body: JsonObject): boolean | undefined {
  const template = objectAt(body, "chat_template_kwargs");
  const enabled = template?.["enable_thinking"];
  if (typeof enabled === "boolean") return enabled;
  const effort = stringAt(body, "reasoning_effort");
  return effort === undefined ? undefined : effort !== "none";
}
