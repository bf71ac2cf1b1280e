/** The message that a stream's events make up, put together by hand as clients do it. */
import { asObject, asText, type Json } from "./chat-records.ts";
import type { MessagesRecord } from "./messages-records.ts";

export interface Accumulated {
  readonly content: Json[];
  /** `stop_reason`, `stop_sequence`, `stop_details` and `container`; empty while nothing is told. */
  readonly stop: Json;
  /** As the last event told it. */
  readonly usage: Json;
}

export interface Said {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
}

/** Arguments that are no JSON, as of a call that was cut, are an empty input. */
export function accumulate(records: readonly MessagesRecord[]): Accumulated {
  const content: Json[] = [];
  const args = new Map<Json, string>();
  let stop: Json = {};
  let usage: Json = {};
  for (const { event, json } of records) {
    if (event === "message_start") usage = asObject(asObject(json["message"])["usage"]);
    if (event === "message_delta") {
      stop = asObject(json["delta"]);
      usage = asObject(json["usage"]);
    }
    if (event === "content_block_start") content.push({ ...asObject(json["content_block"]) });
    const block = content[Number(json["index"])];
    if (event !== "content_block_delta" || !block) continue;
    const delta = asObject(json["delta"]);
    const { type: _type, partial_json: piece, ...texts } = delta;
    if (piece !== undefined) args.set(block, (args.get(block) ?? "") + asText(piece));
    for (const [key, text] of Object.entries(texts)) block[key] = asText(block[key]) + asText(text);
  }
  for (const [block, text] of args) block["input"] = readInput(text);
  return { content, stop, usage };
}

function readInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** What a stream says, up to its end or to an error: the pieces of each call's arguments joined as they came. */
export function saidIn(records: readonly MessagesRecord[]): Said {
  const calls: { id: string; name: string; args: string }[] = [];
  let text = "";
  let reasoning = "";
  for (const { json } of records) {
    const { type, id, name } = asObject(json["content_block"]);
    if (type === "tool_use") calls.push({ id: asText(id), name: asText(name), args: "" });
    const delta = asObject(json["delta"]);
    text += asText(delta["text"]);
    reasoning += asText(delta["thinking"]);
    const call = calls.at(-1);
    if (call) call.args += asText(delta["partial_json"]);
  }
  return { text, reasoning, calls };
}
