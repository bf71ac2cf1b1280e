/** The JSON of frames. Most frames of a stream are like one before, but for a token's text: those are read by likeness. */
import { parseObject, type JsonObject } from "../core/json/object.ts";
import type { Frame } from "../sse/frame.ts";
import { likenessOf, readLike, type Likeness } from "./likeness.ts";

/** Each choice of a stream has its own; with more of them the search costs more than it gives. */
const MAX_KEPT = 4;
/** A stream that is like nothing before it for so many frames, as one with usage on each, is not looked at again. */
const MAX_IN_VAIN = 16;

export class ChunkParser {
  readonly #kept: Likeness[] = [];
  /** Which of them the next frame is probably like: choices take turns. */
  #turn = 0;
  #inVain = 0;

  /** Returns the JSON object in the frame's data, or `undefined` when it holds something else: always what `JSON.parse` gives. */
  parse(frame: Frame): JsonObject | undefined {
    const { bytes } = frame;
    if (!bytes) return parseObject(frame.data);
    for (let tried = 0; tried < this.#kept.length; tried += 1) {
      const at = (this.#turn + tried) % this.#kept.length;
      const kept = this.#kept[at];
      const json = kept && readLike(bytes, kept);
      if (json) {
        this.#turn = at + 1;
        this.#inVain = 0;
        return json;
      }
    }
    const json = parseObject(frame.data);
    if (json) this.#learn(bytes, frame.data, json);
    return json;
  }

  #learn(bytes: Uint8Array, data: string, json: JsonObject): void {
    if (this.#inVain === MAX_IN_VAIN) return;
    this.#inVain += 1;
    if (this.#inVain === MAX_IN_VAIN) {
      this.#kept.length = 0;
      return;
    }
    const likeness = likenessOf(bytes, data, json);
    if (!likeness) return;
    if (this.#kept.length === MAX_KEPT) this.#kept.shift();
    this.#kept.push(likeness);
    this.#turn = 0;
  }
}
