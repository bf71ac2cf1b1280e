/** What a delta says in words, in the order in which readers get it. */
import { isObject, type JsonObject } from "../../core/json/object.ts";

export interface Said {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

/** Returns what a repaired delta says, or `undefined` where what stands for a text is none: it would be lost unseen. */
export function readSaid(delta: JsonObject): Said[] | undefined {
  const { reasoning, reasoning_content: other, content, refusal } = delta;
  const thought = readText(reasoning);
  const text = Array.isArray(content) ? joinParts(content) : readText(content);
  // OpenAI's servers refuse in a field of its own; to its reader it is what the model says.
  const refused = readText(refusal);
  // Text under either name of reasoning stands under both.
  if (thought === undefined || readText(other) === undefined || text === undefined || refused === undefined) {
    return undefined;
  }
  const said: Said[] = [];
  if (thought !== "") said.push({ type: "reasoning", text: thought });
  if (text !== "") said.push({ type: "text", text });
  if (refused !== "") said.push({ type: "text", text: refused });
  return said;
}

function readText(value: unknown): string | undefined {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : undefined;
}

/** Some servers send a list of parts, as clients do. */
function joinParts(parts: readonly unknown[]): string | undefined {
  let joined = "";
  for (const part of parts) {
    if (!isObject(part) || part["type"] !== "text" || typeof part["text"] !== "string") return undefined;
    joined += part["text"];
  }
  return joined;
}
