/** The content blocks of a stream: indices from 0 without a gap, and never two open at once. */
import type { StreamEvent } from "../../events/event.ts";
import { formatEvent } from "../../sse/format.ts";
import { toClientId } from "./request/call-id.ts";
import { SIGNATURE, textBlock, thinkingBlock, toolUseBlock } from "./message.ts";

export class Blocks {
  readonly #omitsThinking: boolean;
  #index = 0;
  #open: "none" | "text" | "thinking" | "tool_use" = "none";
  /** Whether any block said or called something: an answer that only thinks ends with an empty text. */
  #answered = false;

  constructor(omitsThinking: boolean) {
    this.#omitsThinking = omitsThinking;
  }

  /** Returns the records for an event that belongs to a part; none for any other. */
  push(event: StreamEvent): Uint8Array[] {
    switch (event.type) {
      case "text":
        return [...this.#begin("text", textBlock("")), this.#delta("text_delta", "text", event.text)];
      case "reasoning": {
        const opening = this.#begin("thinking", thinkingBlock("", ""));
        // A stream that writes nothing is taken for one that stands still, here and by its client.
        if (this.#omitsThinking) return opening.length > 0 ? opening : [format("ping", {})];
        return [...opening, this.#delta("thinking_delta", "thinking", event.text)];
      }
      case "tool_call_start":
        // Two calls in a row are two blocks.
        return [...this.close(), ...this.#begin("tool_use", toolUseBlock(toClientId(event.id), event.name, {}))];
      case "tool_call_delta":
        return [this.#delta("input_json_delta", "partial_json", event.text)];
      case "tool_call_complete":
        return this.close();
      default:
        return [];
    }
  }

  /** Closes the block that is open, if one is. */
  close(): Uint8Array[] {
    if (this.#open === "none") return [];
    const signature = this.#open === "thinking" ? [this.#delta("signature_delta", "signature", SIGNATURE)] : [];
    this.#open = "none";
    const stop = format("content_block_stop", { index: this.#index });
    this.#index += 1;
    return [...signature, stop];
  }

  /** Returns what ends the content. */
  end(): Uint8Array[] {
    const closing = this.close();
    return this.#answered ? closing : [...closing, ...this.#begin("text", textBlock("")), ...this.close()];
  }

  #begin(kind: "text" | "thinking" | "tool_use", block: object): Uint8Array[] {
    if (this.#open === kind) return [];
    const closing = this.close();
    this.#open = kind;
    this.#answered ||= kind !== "thinking";
    return [...closing, format("content_block_start", { index: this.#index, content_block: block })];
  }

  /** There is one for each token, so only its text is left to be written. */
  #delta(type: string, key: string, text: string): Uint8Array {
    const delta = `{"type":"${type}","${key}":${JSON.stringify(text)}}`;
    return formatEvent("content_block_delta", `{"type":"content_block_delta","index":${this.#index},"delta":${delta}}`);
  }
}

/** Returns the record of an event of the protocol: its name stands before the data and in it. */
export function format(type: string, fields: object): Uint8Array {
  return formatEvent(type, JSON.stringify({ type, ...fields }));
}
