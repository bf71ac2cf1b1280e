/** What all content blocks have in common: a list of objects that each name their type. */
import { isObject, type JsonObject } from "../../../core/json/object.ts";
import { refuse } from "../../../vllm/rules.ts";
import { broken, needName } from "./fields.ts";

export interface Block {
  readonly type: string;
  readonly fields: JsonObject;
  /** Where the block stands in the request. */
  readonly param: string;
}

/** Yields the blocks of a content that is a list, or the one text block that a string stands for. */
export function* readBlocks(content: unknown, param: string): Generator<Block> {
  if (typeof content === "string") {
    yield { type: "text", fields: { text: content }, param };
    return;
  }
  if (!Array.isArray(content)) throw refuse(param, `"${param}" must be a string or a list of content blocks.`);
  for (const [at, fields] of content.entries()) {
    const place = `${param}[${at}]`;
    if (!isObject(fields)) throw refuse(place, `"${place}" must be a content block.`);
    yield { type: needName(fields, "type", place), fields, param: place };
  }
}

/** Returns the refusal of a block whose type has no place there. */
export function misplaced({ type, param }: Block, where: string) {
  return broken(param, "type", `must not be ${quote(type)} in ${where}`);
}

/** Returns a client's word in quotes, as far as it looks like a type. */
export function quote(word: string): string {
  return /^[\w.-]{1,64}$/.test(word) ? `"${word}"` : "that";
}
