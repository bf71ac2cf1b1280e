import { Pieces } from "../pieces.ts";
import { JsonCompleteness } from "./completeness.ts";
import { parseObject } from "./object.ts";

/** Characters that are kept to be parsed. Of a longer text only brackets and strings are followed. */
const MAX_KEPT = 1_048_576;

/** Whether pieces of text make up a JSON object. */
export class JsonObjectText {
  readonly #scan = new JsonCompleteness();
  /** What has come; `undefined` once that is too long. */
  #kept: Pieces | undefined = new Pieces();
  #length = 0;
  #first = "";

  push(piece: string): void {
    if (this.#scan.empty) this.#first = piece.trimStart().charAt(0);
    this.#scan.push(piece);
    this.#length += piece.length;
    if (this.#length > MAX_KEPT) this.#kept = undefined;
    this.#kept?.push(piece);
  }

  /** Whether all brackets and strings are closed: more than white space would break it. */
  get closed(): boolean {
    return this.#scan.complete;
  }

  /** Whether what has come is one object and nothing else. */
  get isObject(): boolean {
    if (!this.closed || this.#first !== "{") return false;
    return !this.#kept || parseObject(this.#kept.join()) !== undefined;
  }
}
