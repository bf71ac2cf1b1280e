/** Documents and search results, which chat does not know: their text is sent, under their title. Citations are not asked for. */
import { misplaced, readBlocks, type Block } from "./block.ts";
import { broken, needObject, needString, readString } from "./fields.ts";
import { readImage } from "./image.ts";
import { textPart, type Part } from "./part.ts";

/** Returns the document's text, and its pictures after it. */
export function readDocument({ fields, param }: Block): readonly Part[] {
  const head = [
    heading("Document", readString(fields, "title", param)),
    heading("Context", readString(fields, "context", param)),
  ].join("");
  const place = `${param}.source`;
  const source = needObject(fields, "source", param);
  switch (source["type"]) {
    case "text":
      return titled(head, [needString(source, "data", place)], []);
    case "content":
      return titled(head, ...readContent(source["content"], `${place}.content`));
    case "base64":
    case "url":
    case "file":
      throw broken(param, "source", "must be text: a PDF, a URL or a file cannot be read here");
    default:
      throw broken(place, "type", 'must be "text" or "content"');
  }
}

/** Returns the text of a search result. */
export function readSearchResult({ fields, param }: Block): string {
  const head = [
    heading("Title", readString(fields, "title", param)),
    heading("Source", readString(fields, "source", param)),
  ].join("");
  const [texts] = readContent(fields["content"] ?? [], `${param}.content`);
  return joined(head, texts);
}

function heading(name: string, text: string | undefined): string {
  return text ? `${name}: ${text}\n` : "";
}

function titled(head: string, texts: readonly string[], images: readonly Part[]): readonly Part[] {
  const text = joined(head, texts);
  return text === "" ? images : [textPart(text), ...images];
}

function joined(head: string, texts: readonly string[]): string {
  return [head, texts.join("\n")].filter((text) => text !== "").join("\n");
}

function readContent(content: unknown, param: string): [texts: string[], images: Part[]] {
  const texts: string[] = [];
  const images: Part[] = [];
  for (const block of readBlocks(content, param)) {
    if (block.type === "text") texts.push(needString(block.fields, "text", block.param));
    else if (block.type === "image") images.push(readImage(block));
    else throw misplaced(block, "a document");
  }
  return [texts, images];
}
