import { misplaced, type Block } from "./block.ts";
import { readParts } from "./content.ts";
import { textPart, type Part } from "./part.ts";
import { joinSystem } from "./system.ts";
import { readToolResult, type ToolResult } from "./tool-result.ts";

/**
 * Consecutive messages of the user, and system messages among them: first the results of tools, which chat wants right
 * after the calls, then one message with everything else.
 */
export class UserTurn {
  readonly #results: ToolResult[] = [];
  readonly #parts: Part[] = [];
  readonly #names: ReadonlyMap<string, string>;
  /** Whether the user has said something, beside results and what the system has put in. */
  #spoke = false;

  /** `names`: the name of each tool that was called, by the call's id. */
  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
  }

  add(block: Block): void {
    if (block.type === "tool_result") {
      this.#results.push(readToolResult(block));
      return;
    }
    const parts = readParts(block);
    if (!parts) throw misplaced(block, "a message of the user");
    for (const part of parts) {
      this.#parts.push(part);
      this.#spoke = true;
    }
  }

  /**
   * Adds a system message. Moved to the head it would change the prompt's beginning in every turn, and nothing would be
   * found in the prefix cache; left a system message, many templates refuse it. The tag is the one that coding agents
   * tell their models of.
   */
  remind(texts: readonly string[]): void {
    if (texts.length > 0) this.#parts.push(textPart(`<system-reminder>\n${joinSystem(texts)}\n</system-reminder>`));
  }

  write(): readonly object[] {
    const pictures = this.#pictures();
    // Many templates forget the reasoning before the last message of a user: a reminder alone must not become one.
    const folds = this.#results.length > 0 && pictures.length === 0 && !this.#spoke;
    const content = joinParts([...pictures, ...this.#parts]);
    const last = this.#results.length - 1;
    const told = this.#results.map(({ id, text }, at) => ({
      role: "tool",
      tool_call_id: id,
      content: folds && at === last ? fold(text, content) : text,
    }));
    if (folds || (content === "" && told.length > 0)) return told;
    return [...told, { role: "user", content }];
  }

  /** Of several results it is said whose pictures follow. */
  #pictures(): readonly Part[] {
    if (this.#results.length < 2) return this.#results[0]?.images ?? [];
    return this.#results.flatMap(({ id, images }): readonly Part[] =>
      images.length === 0 ? [] : [textPart(`From the result of ${this.#names.get(id) ?? id}:`), ...images],
    );
  }
}

function fold(text: string, reminder: string | readonly Part[]): string {
  const more = typeof reminder === "string" ? reminder : "";
  return text === "" || more === "" ? text + more : `${text}\n\n${more}`;
}

/** Text alone goes as one string, since some templates take nothing else, and joined as vLLM joins parts for those. */
function joinParts(parts: readonly Part[]): string | readonly Part[] {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === parts.length ? texts.join("\n") : parts;
}
