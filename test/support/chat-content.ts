/** What a chat stream says, choice by choice, whatever the cuts between its chunks: what must not be lost on the way. */
import { asList, asObject, asText, type Json } from "./chat-records.ts";

export interface ChoiceContent {
  text: string;
  reasoning: string;
  readonly tokenIds: unknown[];
  readonly logprobs: unknown[];
  readonly calls: { id: unknown; name: string; args: string }[];
  /** Fields of the choice, its delta or its calls that this file does not know, as `place.key=value`. */
  readonly unknown: string[];
  stopReason: unknown;
  finish: unknown;
}

export interface ChatContent {
  readonly choices: ReadonlyMap<number, ChoiceContent>;
  /** Fields at the top that this file does not know, each value once. */
  readonly top: ReadonlySet<string>;
}

const TOP = new Set(["id", "object", "created", "model", "choices", "usage"]);
const CHOICE = new Set(["index", "delta", "logprobs", "token_ids", "finish_reason", "stop_reason"]);
const DELTA = new Set(["role", "content", "reasoning", "reasoning_content", "tool_calls"]);
const CALL = new Set(["index", "id", "type", "function"]);
const FUNCTION = new Set(["name", "arguments"]);

/** What a choice says after its finish does not count. */
export function chatContent(chunks: readonly Json[]): ChatContent {
  const choices = new Map<number, ChoiceContent>();
  const top = new Set<string>();
  for (const chunk of chunks) {
    for (const field of others(chunk, TOP, "top")) top.add(field);
    for (const choice of asList(chunk["choices"])) {
      const index = Number(choice["index"]);
      const content = choices.get(index) ?? nothing();
      choices.set(index, content);
      if (!content.finish) add(choice, content);
    }
  }
  return { choices, top };
}

function nothing(): ChoiceContent {
  return {
    text: "",
    reasoning: "",
    tokenIds: [],
    logprobs: [],
    calls: [],
    unknown: [],
    stopReason: null,
    finish: null,
  };
}

function add(choice: Json, content: ChoiceContent): void {
  const delta = asObject(choice["delta"]);
  content.text += asText(delta["content"]);
  content.reasoning += asText(delta["reasoning"]) || asText(delta["reasoning_content"]);
  content.tokenIds.push(...(Array.isArray(choice["token_ids"]) ? choice["token_ids"] : []));
  content.logprobs.push(...asList(asObject(choice["logprobs"])["content"]));
  content.unknown.push(...others(choice, CHOICE, "choice"), ...others(delta, DELTA, "delta"));
  for (const entry of asList(delta["tool_calls"])) addCall(entry, content);
  content.stopReason = choice["stop_reason"] ?? content.stopReason;
  content.finish = choice["finish_reason"] || content.finish;
}

/** Calls are told apart by their index alone: the recorded servers have no loose fragments. */
function addCall(entry: Json, content: ChoiceContent): void {
  const fn = asObject(entry["function"]);
  const call = (content.calls[Number(entry["index"])] ??= { id: undefined, name: "", args: "" });
  call.id ??= entry["id"];
  call.name += asText(fn["name"]);
  call.args += asText(fn["arguments"]);
  content.unknown.push(...others(entry, CALL, "call"), ...others(fn, FUNCTION, "function"));
}

function others(json: Json, known: ReadonlySet<string>, place: string): string[] {
  return Object.entries(json)
    .filter(([key, value]) => !known.has(key) && value !== null)
    .map(([key, value]) => `${place}.${key}=${JSON.stringify(value)}`);
}
