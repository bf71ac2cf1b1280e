import { misplaced, type Block } from "./block.ts";
import { needName, needString, readObject } from "./fields.ts";
import { isForeign, readForeign } from "./foreign.ts";
import { toOriginId } from "./call-id.ts";

/** Consecutive messages of the assistant, which are one message in chat: reasoning, text and calls each have their place. */
export class AssistantTurn {
  readonly #texts: string[][] = [];
  readonly #reasoning: string[] = [];
  readonly #calls: object[] = [];
  readonly #names: Map<string, string>;
  #within = false;

  /** `names` gets the name of each tool that is called, by the call's id. */
  constructor(names: Map<string, string>) {
    this.#names = names;
  }

  get text(): string {
    return this.#texts.map((run) => run.join("")).join("\n");
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  get hasReasoning(): boolean {
    return this.#reasoning.length > 0;
  }

  /** Begins another message of the same turn. */
  beginMessage(): void {
    this.#within = false;
  }

  add(block: Block): void {
    const { type, fields, param } = block;
    if (type === "text") {
      this.#addText(needString(fields, "text", param));
      return;
    }
    this.#within = false;
    if (type === "thinking") {
      // The signature is another server's, or ours: there is nothing in it to check.
      const text = needString(fields, "thinking", param);
      if (text !== "") this.#reasoning.push(text);
    } else if (type === "tool_use") {
      this.#addCall(block);
    } else if (isForeign(type)) {
      this.#addText(readForeign(block));
      this.#within = false;
    } else if (type !== "redacted_thinking") {
      throw misplaced(block, "a message of the assistant");
    }
  }

  write(): readonly object[] {
    const { text } = this;
    const reasoning = this.#reasoning.join("\n");
    return [
      {
        role: "assistant",
        content: text === "" && this.hasCalls ? null : text,
        // Under this name alone: to vLLM's Rust front end the older one is the same field, and may not stand twice.
        ...(this.hasReasoning ? { reasoning } : {}),
        ...(this.hasCalls ? { tool_calls: this.#calls } : {}),
      },
    ];
  }

  /**
   * Text blocks that touch are one text that was cut where a citation begins, so nothing goes between them; those with
   * something between them were written apart.
   */
  #addText(text: string): void {
    if (text === "") return;
    if (!this.#within) this.#texts.push([]);
    this.#texts.at(-1)?.push(text);
    this.#within = true;
  }

  #addCall({ fields, param }: Block): void {
    const id = toOriginId(needName(fields, "id", param));
    const name = needName(fields, "name", param);
    const input = readObject(fields, "input", param) ?? {};
    this.#names.set(id, name);
    this.#calls.push({ id, type: "function", function: { name, arguments: JSON.stringify(input) } });
  }
}
