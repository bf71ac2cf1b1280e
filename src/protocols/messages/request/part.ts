/** The content parts of a chat message, and the blocks that become them, in a user's message and in a tool's result. */
import type { Block } from "./block.ts";
import { readDocument, readSearchResult } from "./document.ts";
import { broken, needName, needObject, needString } from "./fields.ts";
import { isForeign, readForeign } from "./foreign.ts";

export type Part = TextPart | ImagePart;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ImagePart {
  readonly type: "image_url";
  readonly image_url: { readonly url: string };
}

export function textPart(text: string): TextPart {
  return { type: "text", text };
}

/** Returns the parts that a block becomes: none for one that says nothing; `undefined` for a type that is not content. */
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
      return [textPart(`Tool: ${needName(fields, "tool_name", param)}`)];
    default:
      return isForeign(type) ? written(readForeign(block)) : undefined;
  }
}

/** An empty text is no part: some templates write an empty turn for it. */
function written(text: string): readonly Part[] {
  return text === "" ? [] : [textPart(text)];
}

export function readImage({ fields, param }: Block): ImagePart {
  const place = `${param}.source`;
  const source = needObject(fields, "source", param);
  switch (source["type"]) {
    case "base64": {
      const media = needName(source, "media_type", place);
      if (!/^image\/[\w.+-]+$/.test(media)) throw broken(place, "media_type", 'must be that of an image, as "image/png"');
      return { type: "image_url", image_url: { url: `data:${media};base64,${needName(source, "data", place)}` } };
    }
    case "url":
      return { type: "image_url", image_url: { url: needName(source, "url", place) } };
    case "file":
      throw broken(param, "source", 'must be base64 or a URL: there are no uploaded files here');
    default:
      throw broken(place, "type", 'must be "base64" or "url"');
  }
}
