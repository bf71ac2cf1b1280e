import { isObject, listAt, objectAt, stringAt, type Json, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import { proseFor, thoughtFor } from "../text/prose.ts";
import { pythonJson } from "../text/python-json.ts";
import { valueFor } from "../text/schema.ts";
import { contentText, lastUserText, thinkingAsked, toolChoice } from "./request.ts";

/** The raw text of each choice, marks included, and whether it starts inside the reasoning. */
export interface Speech {
  text(choice: number): string;
  thinking: boolean;
}

/** What the model says to a request: its script, the last user message, or its own words. */
export function speak(body: JsonObject, model: Model): Speech {
  const asked = thinkingAsked(body);
  const user = lastUserText(body);
  // A dictated text without marks is an answer, not a thought that never ends.
  if (model.voice === "say") return { text: () => user, thinking: asked ?? /<\/?think>/.test(user) };
  if (model.voice === "script") {
    const script = stringAt(objectAt(body, "vllm_xargs"), "script");
    const said = (choice: number): string => script ?? proseFor(user, choice);
    return { text: (choice) => echoed(body, model) + said(choice), thinking: asked !== false };
  }
  const thinks = asked === true && model.switches.reasoning !== "none";
  const thought = thinks ? `<think>\n${thoughtFor(user)}\n</think>\n\n` : "";
  return { text: (choice) => thought + ownWords(body, model, user, choice), thinking: thinks };
}

/** Rust's `echo` with `continue_final_message` says the last message again. */
function echoed(body: JsonObject, model: Model): string {
  const last = listAt(body, "messages").at(-1);
  const continues = body["echo"] === true && body["continue_final_message"] === true;
  return continues && model.dialect === "rust" && isObject(last) ? contentText(last["content"]) : "";
}

function ownWords(body: JsonObject, model: Model, user: string, choice: number): string {
  const calls = callsFor(body, user);
  if (calls.length > 0) return calls.map(callText).join("\n");
  const structured = structuredText(body);
  if (structured !== undefined) return structured;
  const last = listAt(body, "messages").at(-1);
  if (isObject(last) && last["role"] === "tool") {
    return `The tool says: “${contentText(last["content"])}” — that is the whole answer, naïve as it may be.`;
  }
  return proseFor(user, choice, model.switches.words);
}

function structuredText(body: JsonObject): string | undefined {
  const format = objectAt(body, "response_format");
  const type = stringAt(format, "type");
  if (type === "json_object") return pythonJson({ answer: "42", city: "Łódź", ok: true });
  if (type !== "json_schema") return undefined;
  return pythonJson(valueFor(objectAt(objectAt(format, "json_schema"), "schema") ?? {}));
}

export interface Call {
  name: string;
  arguments: Json;
}

/** Hermes text of a call, spaced as Python's `json.dumps` does it: that is what models have learnt. */
export function callText(call: Call): string {
  return `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${pythonJson(call.arguments)}}\n</tool_call>`;
}

/**
 * The calls that the model makes: of the named tool; of the first tool when a call is required or the last message
 * is the user's; of two tools when the user says "both" or names two, unless parallel calls are off.
 */
export function callsFor(body: JsonObject, user: string): Call[] {
  const choice = toolChoice(body);
  if (choice === "none") return [];
  const tools = listAt(body, "tools").map((tool) => objectAt(tool, "function") ?? {});
  if (typeof choice === "object") {
    return tools
      .filter((tool) => tool["name"] === choice.named)
      .slice(0, 1)
      .map(callOf);
  }
  if (choice === "auto" && stringAt(listAt(body, "messages").at(-1), "role") !== "user") return [];
  const named = tools.filter((tool) => user.includes(stringAt(tool, "name") ?? "\0"));
  const several = body["parallel_tool_calls"] !== false && (named.length > 1 || /\bboth\b/i.test(user));
  if (several) return (named.length > 1 ? named : tools).slice(0, 2).map(callOf);
  return [named[0] ?? tools[0]].filter((tool) => tool !== undefined).map(callOf);
}

function callOf(tool: JsonObject): Call {
  return {
    name: stringAt(tool, "name") ?? "tool",
    arguments: valueFor(objectAt(tool, "parameters") ?? { type: "object" }),
  };
}
