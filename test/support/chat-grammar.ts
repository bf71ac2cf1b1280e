/** What a client may rely on in every chat stream, checked by nothing but the stream itself. */
import { asList, asObject, readChatRecords, type Json } from "./chat-records.ts";

export interface Expected {
  readonly choices: number;
  readonly usage: "none" | "final" | "continuous";
  /** The only name that the model may have; `undefined` leaves it open. */
  readonly model?: string;
}

interface ToolCall {
  readonly index: number;
  args: string;
}

interface ChoiceState {
  finished: string | undefined;
  readonly calls: ToolCall[];
}

/** Returns every breach of the rules, in words; none for a stream as it should be. */
export function chatBreaches(stream: string, expected: Expected): string[] {
  return new ChatGrammar(expected).read(stream);
}

class ChatGrammar {
  readonly #expected: Expected;
  readonly #breaches: string[] = [];
  readonly #choices = new Map<number, ChoiceState>();
  #envelope: Json | undefined;
  #usageChunks = 0;
  #failed = false;

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  read(stream: string): string[] {
    const { chunks, terminators, terminated } = readChatRecords(stream);
    this.#rule(terminators === 1 && terminated, "exactly one [DONE], and last");
    for (const { json } of chunks) {
      this.#rule(!this.#failed, "nothing between an error and [DONE]");
      if ("error" in json) this.#readError(json);
      else this.#readChunk(json);
    }
    if (!this.#failed) this.#readEnd();
    return this.#breaches;
  }

  #rule(holds: boolean, words: string): void {
    if (!holds) this.#breaches.push(words);
  }

  #readError(json: Json): void {
    this.#failed = true;
    const { error, ...others } = json;
    this.#rule(typeof asObject(error)["message"] === "string", "an error has a message");
    this.#rule(Object.keys(others).length === 0, "nothing stands beside an error");
    this.#rule(this.#usageChunks === 0, "no usage before an error");
  }

  #readChunk(json: Json): void {
    const { id, object, created, model, choices, usage } = json;
    this.#envelope ??= { id, created, model };
    const same = Object.entries(this.#envelope).every(([key, value]) => json[key] === value);
    this.#rule(same, "one id, one created, one model");
    this.#rule(typeof id === "string" && id !== "" && Number.isInteger(created), "an id and a time");
    this.#rule(object === "chat.completion.chunk", "object chat.completion.chunk");
    this.#rule(
      model === (this.#expected.model ?? model) && typeof model === "string",
      "the client's name of the model",
    );
    this.#rule(this.#usageChunks === 0, "nothing after the usage chunk");
    if (!Array.isArray(choices) || choices.length > 1) this.#breaches.push("a list of one choice, or none");
    else if (choices.length === 0) this.#readUsage(usage);
    else {
      const shown = usage !== undefined && usage !== null;
      this.#rule(!shown || this.#expected.usage === "continuous", "usage on a chunk with a choice only if asked for");
      this.#rule(usage === undefined || this.#expected.usage !== "none", "no usage member unless asked for");
      if (shown) this.#readCounts(usage);
      this.#readChoice(asObject(choices[0]));
    }
  }

  #readUsage(usage: unknown): void {
    this.#usageChunks += 1;
    this.#rule(this.#expected.usage !== "none", "a usage chunk only if asked for");
    this.#rule(this.#allFinished, "usage after every finish");
    this.#readCounts(usage);
  }

  #readCounts(usage: unknown): void {
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = asObject(usage);
    const counts = [prompt, completion, total].every((count) => Number.isInteger(count) && Number(count) >= 0);
    this.#rule(counts && Number(prompt) + Number(completion) === total, "usage is three counts that add up");
  }

  #readChoice(choice: Json): void {
    const { index, delta, finish_reason: reason } = choice;
    if (typeof index !== "number" || !(index >= 0 && index < this.#expected.choices)) {
      this.#breaches.push("an index of an expected choice");
      return;
    }
    const known = this.#choices.get(index);
    const state = known ?? { finished: undefined, calls: [] };
    this.#choices.set(index, state);
    const { role } = asObject(delta);
    this.#rule(typeof delta === "object" && delta !== null && !Array.isArray(delta), "a delta that is an object");
    this.#rule(known ? !role : typeof role === "string" && role !== "", "a role on the first chunk, and never again");
    this.#rule(state.finished === undefined, "nothing after the finish");
    this.#readDelta(asObject(delta), state);
    if (reason === null || reason === undefined) return;
    const word = typeof reason === "string" ? reason : "";
    this.#rule(!["", "abort", "error"].includes(word), "a reason that ends well");
    this.#rule(Object.values(asObject(delta)).every(isNothing), "nothing in the delta of a finish");
    this.#rule(word !== "stop" || state.calls.length === 0, "not stop after calls");
    const whole = word === "length" || state.calls.every((call) => call.args.trim() !== "");
    this.#rule(whole, "arguments for every call unless a limit cut it");
    state.finished = word;
  }

  #readDelta(delta: Json, state: ChoiceState): void {
    const { reasoning, reasoning_content: other, tool_calls: calls } = delta;
    this.#rule((isNothing(reasoning) && isNothing(other)) || reasoning === other, "reasoning under both keys");
    const entries = asList(calls);
    this.#rule(entries.length <= 1, "one call in a delta");
    for (const entry of entries) this.#readCall(entry, state);
  }

  #readCall(entry: Json, { calls }: ChoiceState): void {
    const { index, function: fn, ...others } = entry;
    const { name, arguments: args } = asObject(fn);
    const current = calls.at(-1);
    this.#rule(typeof args === "string", "arguments that are text");
    if (current && current.index === index) {
      this.#rule(!("id" in others) && !("type" in others) && name === undefined, "id, type and name once");
      current.args += String(args);
      return;
    }
    this.#rule(index === calls.length, "calls one after the other, counted from 0");
    const { id, type } = others;
    const named = typeof id === "string" && id !== "" && type === "function" && typeof name === "string";
    this.#rule(named, "a call that starts with id, type and name");
    calls.push({ index: Number(index), args: String(args) });
  }

  get #allFinished(): boolean {
    const finished = [...this.#choices.values()].filter((state) => state.finished !== undefined);
    return finished.length === this.#expected.choices && finished.length === this.#choices.size;
  }

  #readEnd(): void {
    this.#rule(this.#allFinished, "a finish for every expected choice");
    this.#rule(this.#usageChunks === (this.#expected.usage === "none" ? 0 : 1), "usage if and only if asked for");
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
