/**
 * The system prompt. Its blocks are sections, so an empty line is put between them: vLLM's own /v1/messages joins them
 * with nothing, which glues the last word of one to the first heading of the next.
 */
import { misplaced, readBlocks } from "./block.ts";
import { needString } from "./fields.ts";

/**
 * Claude Code begins its system prompt with this line. It says something else in every request, and since it stands at
 * the head of the prompt, vLLM would find nothing of the conversation in its prefix cache.
 */
const ATTRIBUTION = "x-anthropic-billing-header:";

/** Blocks of a beta that offer and withdraw tools on the way; all tools of a request are offered throughout. */
const TOOL_CHANGES = new Set(["tool_addition", "tool_removal"]);

/** Returns the texts of a system prompt or a system message; none for an absent one. */
export function readSystem(content: unknown, param: string): string[] {
  const texts: string[] = [];
  for (const block of readBlocks(content ?? [], param)) {
    if (TOOL_CHANGES.has(block.type)) continue;
    if (block.type !== "text") throw misplaced(block, "a system prompt");
    const text = withoutAttribution(needString(block.fields, "text", block.param));
    if (text !== "") texts.push(text);
  }
  return texts;
}

export function joinSystem(texts: readonly string[]): string {
  return texts.join("\n\n");
}

function withoutAttribution(text: string): string {
  if (!text.startsWith(ATTRIBUTION)) return text;
  const end = text.indexOf("\n");
  return end === -1 ? "" : text.slice(end + 1);
}
