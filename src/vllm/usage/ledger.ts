/** What is known of a stream's tokens, from the best source that spoke. */
import { isObject, type JsonObject } from "../../core/json/object.ts";
import type { Tokens } from "../../core/machine.ts";
import { mendUsage } from "./mend.ts";
import { readTokens } from "./tokens.ts";

/** English text has about four characters to a token; an estimate says that it is one. */
const CHARACTERS_PER_TOKEN = 4;

/** What an estimate goes by. */
export interface Lengths {
  /** Characters. */
  readonly prompt: number;
  /** Characters. */
  readonly completion: number;
  /** The most tokens that all choices together may have. */
  readonly mostTokens: number;
}

export class UsageLedger {
  #final: JsonObject | undefined;
  /** The last usage that rode on a choice's chunks: its completion is that choice's alone. */
  readonly #running = new Map<number, JsonObject>();
  readonly #counted = new Map<number, number>();
  #promptIds: number | undefined;
  readonly #choicesPerPrompt: number;

  /** `promptTokens`, where the request itself tells how many there are; `choicesPerPrompt`: where a stream has several prompts. */
  constructor(promptTokens?: number, choicesPerPrompt = Number.POSITIVE_INFINITY) {
    this.#promptIds = promptTokens;
    this.#choicesPerPrompt = choicesPerPrompt;
  }

  /** Takes a usage that stands for the whole stream. Returns it mended, or `undefined` when it is nonsense. */
  close(usage: unknown): JsonObject | undefined {
    const mended = this.#mend(usage);
    this.#final = mended ?? this.#final;
    return mended;
  }

  /** Takes a usage that rode on a chunk of the choice `index`. Returns it mended, or `undefined` when it is nonsense. */
  run(index: number, usage: unknown): JsonObject | undefined {
    const mended = this.#mend(usage);
    if (mended) this.#running.set(index, mended);
    return mended;
  }

  /** Counts the token ids that a choice's chunk carried. */
  countIds(index: number, ids: unknown): void {
    if (Array.isArray(ids)) this.#counted.set(index, (this.#counted.get(index) ?? 0) + ids.length);
  }

  /** Counts the ids of the prompt, where the origin sends them. */
  countPrompt(ids: unknown): void {
    if (Array.isArray(ids)) this.#promptIds = Math.max(this.#promptIds ?? 0, ids.length);
  }

  /** Returns how many tokens the choice `index` has, as far as that is known; `alone` when it is the stream's only one. */
  completionOf(index: number, alone: boolean): number | undefined {
    const final = alone ? readTokens(this.#final) : undefined;
    return final?.completion ?? readTokens(this.#running.get(index))?.completion ?? this.#counted.get(index);
  }

  /** Returns the counts for the log; never an estimate. */
  get tokens(): Tokens | undefined {
    return readTokens(this.#final ?? this.#sumOfRunning());
  }

  /**
   * Returns the usage of the whole stream: the origin's own, else the sum of what rode on the chunks, else counted ids,
   * else an estimate from the lengths of prompt and answer in characters, marked `estimated`.
   */
  settle(lengths: Lengths): JsonObject {
    const told = this.#final ?? this.#sumOfRunning();
    if (told) return told;
    const counted = [...this.#counted.values()].reduce((sum, ids) => sum + ids, 0);
    const known = counted > 0 || (this.#counted.size > 0 && lengths.completion === 0);
    const prompt = this.#promptIds ?? Math.ceil(lengths.prompt / CHARACTERS_PER_TOKEN);
    const completion = known
      ? counted
      : Math.min(Math.ceil(lengths.completion / CHARACTERS_PER_TOKEN), lengths.mostTokens);
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    return known && this.#promptIds !== undefined ? usage : { ...usage, estimated: true };
  }

  /** A usage that was written before the prompt had been counted tells less than the prompt's own ids do. */
  #mend(usage: unknown): JsonObject | undefined {
    if (!isObject(usage)) return undefined;
    const mended = mendUsage(usage);
    const told = readTokens(mended);
    if (!mended || !told || this.#promptIds === undefined || told.prompt >= this.#promptIds) return mended;
    return mendUsage({ ...mended, prompt_tokens: this.#promptIds });
  }

  /** Each choice's usage tells the whole of its prompt, which the choices of one prompt share. */
  #sumOfRunning(): JsonObject | undefined {
    const [only, ...others] = this.#running.values();
    if (only === undefined || others.length === 0) return only;
    const prompts = new Map<number, number>();
    let completion = 0;
    for (const [index, usage] of this.#running) {
      const tokens = readTokens(usage);
      if (!tokens) continue;
      const prompt = Math.floor(index / this.#choicesPerPrompt);
      prompts.set(prompt, Math.max(tokens.prompt, prompts.get(prompt) ?? 0));
      completion += tokens.completion;
    }
    const prompt = [...prompts.values()].reduce((sum, tokens) => sum + tokens, 0);
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  }
}
