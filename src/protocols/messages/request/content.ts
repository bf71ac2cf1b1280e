import type { Block } from "./block.ts";
import { readDocument, readSearchResult } from "./document.ts";
import { needName, needString } from "./fields.ts";
import { isForeign, readForeign } from "./foreign.ts";
import { readImage } from "./image.ts";
import { textPart, type Part } from "./part.ts";

/**
 * Returns the parts that a block of a user's message or a tool's result becomes: none for one that says nothing;
 * `undefined` for a type that is not content.
 */
export function readParts(block: Block): readonly Part[] | undefined {
  const { type, fields, param } = block;
  switch (type) {
    case "text":
      return written(needString(fields, "text", param));
    case "image":
      return [readImage(block)];
    case "document":
      return readDocument(block);
    case "search_result":
      return written(readSearchResult(block));
    case "tool_reference":
      return written(`Tool: ${needName(fields, "tool_name", param)}`);
    default:
      return isForeign(type) ? written(readForeign(block)) : undefined;
  }
}

function written(text: string): readonly Part[] {
  return text === "" ? [] : [textPart(text)];
}
