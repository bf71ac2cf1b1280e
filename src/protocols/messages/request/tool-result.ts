import { misplaced, readBlocks, type Block } from "./block.ts";
import { toOriginId } from "./call-id.ts";
import { readParts } from "./content.ts";
import { needName, readFlag } from "./fields.ts";
import type { ImagePart } from "./part.ts";

export interface ToolResult {
  /** The origin's id of the call. */
  readonly id: string;
  readonly text: string;
  readonly images: readonly ImagePart[];
}

/** Returns a tool's result. A message of a tool holds text alone in chat, so its pictures are set apart. */
export function readToolResult({ fields, param }: Block): ToolResult {
  const id = toOriginId(needName(fields, "tool_use_id", param));
  const failed = readFlag(fields, "is_error", param) === true;
  const texts: string[] = [];
  const images: ImagePart[] = [];
  for (const block of readBlocks(fields["content"] ?? [], `${param}.content`)) {
    const parts = readParts(block);
    if (!parts) throw misplaced(block, "a tool_result");
    for (const part of parts) {
      if (part.type === "text") texts.push(part.text);
      else images.push(part);
    }
  }
  const text = texts.join("\n");
  // Chat has no field for a failure.
  return { id, text: failed ? `Error: ${text}` : text, images };
}
