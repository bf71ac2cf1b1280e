/**
 * Blocks that another provider's servers left in the history: calls of tools that it ran, their results, summaries. A
 * conversation that began there goes on here, so they are never refused. What of them is text is kept; the rest, most
 * of it encrypted or an upload, is dropped.
 */
import { isObject } from "../../../core/json/object.ts";
import type { Block } from "./block.ts";

const FOREIGN = /^(?:server_tool_use|container_upload|compaction|fallback|mcp_\w+|\w+_tool_result)$/;

export function isForeign(type: string): boolean {
  return FOREIGN.test(type);
}

/** Returns what a model can read of the block, or an empty string. */
export function readForeign({ type, fields }: Block): string {
  const text = legible(fields["content"]);
  if (text === "" || type === "compaction") return text;
  return `Result of a tool (${type.replace(/_tool_result$/, "")}):\n${text}`;
}

function legible(content: unknown): string {
  if (typeof content === "string") return content;
  const entries: unknown[] = Array.isArray(content) ? content : [content];
  return entries.flatMap(saidBy).join("\n");
}

/** A text block has its text, a finished program what it printed, a page that was found its title and address. */
function saidBy(entry: unknown): readonly string[] {
  if (!isObject(entry)) return [];
  const said = [entry["text"], entry["stdout"], entry["stderr"], entry["title"], entry["url"]];
  return said.filter((text) => typeof text === "string").filter((text) => text !== "");
}
