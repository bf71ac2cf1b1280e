/**
 * What chat, completions and generate share: a stream of choices, each started and finished once, with usage if and only
 * if it was asked for, in one envelope and one order. What a single choice may say is its own machine's business. A
 * chunk that is right already keeps its bytes.
 */
import { GatewayError } from "../core/errors.ts";
import { isObject, type JsonObject } from "../core/json/object.ts";
import type { Phase, Tokens } from "../core/machine.ts";
import { areReadable, choicesOf, fails, hasFinished, indexOf, isAlone, unreadable, type Choice } from "./choice.ts";
import type { Chunk } from "./chunk.ts";
import type { Envelope } from "./envelope.ts";
import { FinishReasons } from "./finish.ts";
import { cutStream, emptyStream, type Repair } from "./repair.ts";
import { Riders, tooMuch, Waiting } from "./riders.ts";
import type { UsageAsk } from "./usage/ask.ts";
import { UsageLedger } from "./usage/ledger.ts";

type Output = Chunk | GatewayError;

export interface ChoicesParts {
  /** `waiting` counts what waits in all of them. */
  readonly makeChoice: (index: number, waiting: Waiting) => Choice;
  /** The most characters that may wait for their place. */
  readonly maxWaiting: number;
  readonly envelope: Envelope;
  /** How many choices there must be. */
  readonly choices: number;
  /** How many of them each prompt has, where there are several prompts. */
  readonly choicesPerPrompt?: number;
  readonly usage: UsageAsk;
  /** Whether `usage: null` may stay on a chunk of a client that did not ask; it says nothing either way. */
  readonly keepsNullUsage?: boolean;
  /** The most tokens that a choice may have, where the client set a limit. */
  readonly maxTokens: number | undefined;
  /** Tokens of the prompt, where the request itself tells: a usage that says less has not counted them yet. */
  readonly promptTokens?: number;
  /** Characters of the prompt, for a usage that nobody tells. */
  readonly promptLength: () => number;
}

export class ChoicesRepair implements Repair {
  phase: Exclude<Phase, "done"> = "opening";
  readonly #parts: ChoicesParts;
  readonly #envelope: Envelope;
  readonly #ledger: UsageLedger;
  readonly #choices = new Map<number, Choice>();
  readonly #finishes = new FinishReasons();
  /** How many of the expected choices have not finished yet. */
  #unfinished: number;
  readonly #waiting: Waiting;
  readonly #riders: Riders;
  /**
   * The one chunk that may have to wait for its place at the end: where usage is stripped the last finish, for the
   * fields of the usage chunk; else a usage chunk that came before the last finish. `said` once it has gone out.
   */
  #last: Chunk | "none" | "said" = "none";

  constructor(parts: ChoicesParts) {
    this.#waiting = new Waiting(parts.maxWaiting);
    this.#riders = new Riders(this.#waiting);
    this.#parts = parts;
    this.#unfinished = parts.choices;
    this.#envelope = parts.envelope;
    this.#ledger = new UsageLedger(parts.promptTokens, parts.choicesPerPrompt);
  }

  get tokens(): Tokens | undefined {
    return this.#ledger.tokens;
  }

  get finishReasons(): readonly string[] {
    return this.#finishes.list;
  }

  push(chunk: Chunk): Output[] {
    if (!areReadable(chunk.json["choices"])) return [unreadable()];
    const outputs = this.#take(chunk);
    return this.#waiting.tooMuch && !fails(outputs) ? [...outputs, tooMuch()] : outputs;
  }

  #take(chunk: Chunk): Output[] {
    const stamped = this.#envelope.stamp(chunk.json);
    this.#ledger.countPrompt(stamped["prompt_token_ids"]);
    const came = choicesOf(stamped);
    if (came.length === 0) return this.#takeAside(stamped, chunk);
    // A choice that nobody asked for would never be expected to finish.
    const choices = came.filter((choice) => indexOf(choice) < this.#parts.choices);
    const [first] = choices;
    const top = first ? this.#withUsage(stamped, indexOf(first)) : stamped;
    if (!first || this.phase === "settling") {
      if (this.#last !== "said") this.#riders.keep(stamped);
      return [];
    }
    const outputs = choices.length === 1 ? this.#repair(first) : this.#repairAll(choices);
    const failed = fails(outputs);
    // What failed before a word was said has committed us to nothing, whatever came with the failure.
    if (this.phase === "opening" && !this.#openOnly(failed ? outputs : choices)) this.phase = "open";
    const unchanged = outputs.length === 1 && outputs[0] === first && isAlone(stamped) && !this.#riders.waiting;
    const chunks = unchanged
      ? [{ json: top, bytes: top === chunk.json ? chunk.bytes : undefined }]
      : this.#riders.spread(top, outputs, this.#envelope);
    return this.#unfinished === 0 && !failed ? this.#settle(chunks) : chunks;
  }

  terminate(): Output[] {
    if (this.#choices.size === 0) return [emptyStream()];
    const out: Output[] = [];
    for (let index = 0; index < this.#parts.choices; index += 1) {
      out.push(...this.#complete(index));
      if (out.at(-1) instanceof GatewayError) return out;
    }
    this.phase = "settling";
    if (this.#last === "none" && this.#parts.usage.final) this.#last = { json: this.#makeUsage(), bytes: undefined };
    if (typeof this.#last !== "string") out.push(this.#say(this.#last));
    return out;
  }

  end(): Output[] {
    if (this.phase === "settling") return this.terminate();
    return [this.#choices.size === 0 ? emptyStream() : cutStream()];
  }

  #openOnly(choices: readonly (JsonObject | GatewayError)[]): boolean {
    return choices.every((choice) => choice instanceof GatewayError || this.#choice(indexOf(choice)).opensOnly(choice));
  }

  #repair(choice: JsonObject): (JsonObject | GatewayError)[] {
    const index = indexOf(choice);
    const machine = this.#choice(index);
    if (hasFinished(machine)) return [];
    this.#ledger.countIds(index, choice["token_ids"]);
    const outputs = machine.push(choice);
    if (!hasFinished(machine)) return outputs;
    this.#unfinished -= 1;
    this.#finishes.note(index, outputs);
    return outputs;
  }

  /** What one choice fails with stands after what the others say. */
  #repairAll(choices: readonly JsonObject[]): (JsonObject | GatewayError)[] {
    const outputs = choices.flatMap((choice) => this.#repair(choice));
    const failure = outputs.find((output) => output instanceof GatewayError);
    return failure ? [...outputs.filter((output) => !(output instanceof GatewayError)), failure] : outputs;
  }

  #choice(index: number): Choice {
    let choice = this.#choices.get(index);
    if (!choice) this.#choices.set(index, (choice = this.#parts.makeChoice(index, this.#waiting)));
    return choice;
  }

  #complete(index: number): Output[] {
    const choice = this.#choice(index);
    if (hasFinished(choice)) return [];
    const tokens = this.#ledger.completionOf(index, this.#parts.choices === 1) ?? 0;
    const limited = this.#parts.maxTokens !== undefined && tokens >= this.#parts.maxTokens;
    const outputs = choice.complete(limited);
    this.#finishes.note(index, outputs);
    return this.#riders.spread({}, outputs, this.#envelope);
  }

  /**
   * Every choice has finished. Where usage is stripped the last finish waits; else a usage that came too early goes on
   * waiting for the end, since a better one may follow.
   */
  #settle(chunks: Output[]): Output[] {
    this.phase = "settling";
    const last = chunks.at(-1);
    if (this.#parts.usage.final || last === undefined || last instanceof GatewayError) return chunks;
    this.#last = last;
    return chunks.slice(0, -1);
  }

  /** Takes a chunk without choices: usage, or fields that go along with the next chunk. */
  #takeAside(stamped: JsonObject, { json, bytes }: Chunk): Output[] {
    const { usage } = stamped;
    const mended = this.#ledger.close(usage);
    const last = this.#last;
    if (!this.#parts.usage.final || !mended || last === "said") {
      if (last !== "said") this.#riders.keep(stamped);
      const ends = !this.#parts.usage.final && isObject(usage) && typeof last !== "string";
      return ends ? [this.#say(last)] : [];
    }
    if (typeof last !== "string") this.#riders.keep(last.json);
    const right = mended === usage && Array.isArray(stamped["choices"]) && stamped["choices"].length === 0;
    const chunk: Chunk = right
      ? { json: stamped, bytes: stamped === json ? bytes : undefined }
      : { json: { ...stamped, choices: [], usage: mended }, bytes: undefined };
    if (this.phase === "settling") return [this.#say(chunk)];
    this.#last = chunk;
    return [];
  }

  /** Returns `json` with the usage that a chunk of the choice `index` may show: mended, and only where it was asked for. */
  #withUsage(json: JsonObject, index: number): JsonObject {
    if (!("usage" in json)) return json;
    const { usage, ...rest } = json;
    const mended = this.#ledger.run(index, usage);
    if (usage === null && (this.#parts.usage.final || this.#parts.keepsNullUsage)) return json;
    if (!mended || !this.#parts.usage.continuous) return rest;
    return mended === usage ? json : { ...rest, usage: mended };
  }

  #makeUsage(): JsonObject {
    let completion = 0;
    for (const choice of this.#choices.values()) completion += choice.textLength;
    const mostTokens = (this.#parts.maxTokens ?? Number.POSITIVE_INFINITY) * this.#parts.choices;
    const usage = this.#ledger.settle({ prompt: this.#parts.promptLength(), completion, mostTokens });
    return this.#envelope.make({ choices: [], usage });
  }

  /** Returns the chunk that ends the stream, with all that still waits for one. */
  #say({ json, bytes }: Chunk): Chunk {
    this.#last = "said";
    const riders = this.#riders.take() ?? {};
    const told = Object.keys(riders).every((key) => riders[key] === json[key]);
    return told ? { json, bytes } : { json: { ...json, ...riders }, bytes: undefined };
  }
}
