/** What completions and generate have in common of what a client may rely on; each operation's grammar adds its own. */
import { asObject, readChatRecords, type Json } from "./chat-records.ts";

export interface Expected {
  readonly choices: number;
  readonly usage: "none" | "final" | "continuous";
  /** The only name that the model may have; `undefined` leaves it open. */
  readonly model?: string;
}

/** What one operation adds: each returns breaches in words. */
export interface OwnRules {
  /** The members that are the same in every chunk. */
  readonly envelope: readonly string[];
  chunk(json: Json, expected: Expected): string[];
  choice(choice: Json): string[];
}

/** Returns every breach of the rules, in words; none for a stream as it should be. */
export function streamBreaches(stream: string, expected: Expected, own: OwnRules): string[] {
  return new StreamGrammar(expected, own).read(stream);
}

class StreamGrammar {
  readonly #expected: Expected;
  readonly #own: OwnRules;
  readonly #breaches: string[] = [];
  readonly #finished = new Map<number, boolean>();
  #first: Json | undefined;
  #usageChunks = 0;
  #failed = false;

  constructor(expected: Expected, own: OwnRules) {
    this.#expected = expected;
    this.#own = own;
  }

  read(stream: string): string[] {
    const { chunks, terminators, terminated } = readChatRecords(stream);
    this.#rule(terminators === 1 && terminated, "exactly one [DONE], and last");
    for (const { json } of chunks) {
      this.#rule(!this.#failed, "nothing between an error and [DONE]");
      if ("error" in json) this.#readError(json);
      else this.#readChunk(json);
    }
    if (!this.#failed) {
      this.#rule(this.#allFinished, "a finish for every expected choice");
      this.#rule(this.#usageChunks === (this.#expected.usage === "none" ? 0 : 1), "usage if and only if asked for");
    }
    return this.#breaches;
  }

  #rule(holds: boolean, words: string): void {
    if (!holds) this.#breaches.push(words);
  }

  #readError(json: Json): void {
    this.#failed = true;
    this.#rule(typeof asObject(json["error"])["message"] === "string", "an error has a message");
    this.#rule(Object.keys(json).length === 1, "nothing stands beside an error");
    this.#rule(this.#usageChunks === 0, "no usage before an error");
  }

  #readChunk(json: Json): void {
    const { choices, usage } = json;
    const first = (this.#first ??= json);
    this.#rule(
      this.#own.envelope.every((key) => json[key] === first[key]),
      "one envelope for the whole stream",
    );
    this.#breaches.push(...this.#own.chunk(json, this.#expected));
    this.#rule(this.#usageChunks === 0, "nothing after the usage chunk");
    const shown = usage !== undefined && usage !== null;
    if (shown) this.#readCounts(asObject(usage));
    if (!Array.isArray(choices) || choices.length > 1) this.#breaches.push("a list of one choice, or none");
    else if (choices.length === 0) {
      this.#usageChunks += 1;
      this.#rule(shown && this.#expected.usage !== "none", "a usage chunk only if asked for");
      this.#rule(this.#allFinished, "usage after every finish");
    } else {
      this.#rule(!shown || this.#expected.usage === "continuous", "usage on a chunk with a choice only if asked for");
      this.#readChoice(asObject(choices[0]));
    }
  }

  #readCounts({ prompt_tokens: prompt, completion_tokens: completion, total_tokens: total }: Json): void {
    const counts = [prompt, completion, total].every((count) => Number.isInteger(count) && Number(count) >= 0);
    this.#rule(counts && Number(prompt) + Number(completion) === total, "usage is three counts that add up");
  }

  #readChoice(choice: Json): void {
    const { index, finish_reason: reason } = choice;
    const known = typeof index === "number" && index >= 0 && index < this.#expected.choices;
    this.#rule(known, "an index of an expected choice");
    this.#rule(this.#finished.get(Number(index)) !== true, "nothing after the finish");
    this.#rule(reason !== "", "a finish is a word or none");
    this.#breaches.push(...this.#own.choice(choice));
    this.#finished.set(Number(index), reason !== null && reason !== undefined);
  }

  get #allFinished(): boolean {
    const finished = [...this.#finished.values()].filter((over) => over);
    return finished.length === this.#expected.choices && finished.length === this.#finished.size;
  }
}
