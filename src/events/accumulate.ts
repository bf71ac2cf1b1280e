/** Folds the events of a stream into the whole answer that they make up. */
import { GatewayError } from "../core/errors.ts";
import type { FinishEvent, StreamEvent } from "./event.ts";
import { Pieces } from "../core/pieces.ts";
import type { Usage } from "./usage.ts";

export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** `arguments` is JSON text, in the last part of an answer that was cut by its limit perhaps only the beginning of one. */
  | { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly arguments: string };

export interface WholeOfEvents {
  readonly parts: readonly Part[];
  readonly finish: FinishEvent;
  readonly usage: Usage;
}

/** What a part costs beside its text: an answer of many small parts takes more than they say. */
const PART_LENGTH = 128;

export class Accumulation {
  readonly #parts: { readonly head: Part; readonly pieces: Pieces }[] = [];
  #finish: FinishEvent | undefined;
  #usage: Usage | undefined;
  #length = 0;

  /** Characters in all parts so far, ids and names among them, and `PART_LENGTH` for each part. */
  get length(): number {
    return this.#length;
  }

  /** Takes the next event of a stream that obeys the grammar. Throws the error of an error event. */
  push(event: StreamEvent): void {
    switch (event.type) {
      case "text":
      case "reasoning":
        if (this.#parts.at(-1)?.head.type !== event.type) this.#begin({ type: event.type, text: "" });
        this.#add(event.text);
        return;
      case "tool_call_start":
        this.#begin({ type: "tool_call", id: event.id, name: event.name, arguments: "" });
        this.#length += event.id.length + event.name.length;
        return;
      case "tool_call_delta":
        this.#add(event.text);
        return;
      case "finish":
        this.#finish = event;
        return;
      case "usage":
        this.#usage = event.usage;
        return;
      case "error":
        throw event.error;
      case "start":
      case "tool_call_complete":
        return;
    }
  }

  /** Returns the whole answer. Throws `origin_cut` for a stream that is not at its end. */
  end(): WholeOfEvents {
    if (!this.#finish || !this.#usage) {
      throw new GatewayError("origin_cut", "The origin's stream ended before the answer was complete.");
    }
    const parts = this.#parts.map(({ head, pieces }): Part => {
      const text = pieces.join();
      return head.type === "tool_call" ? { ...head, arguments: text } : { ...head, text };
    });
    return { parts, finish: this.#finish, usage: this.#usage };
  }

  #begin(head: Part): void {
    this.#parts.push({ head, pieces: new Pieces() });
    this.#length += PART_LENGTH;
  }

  #add(text: string): void {
    this.#length += text.length;
    this.#parts.at(-1)?.pieces.push(text);
  }
}
