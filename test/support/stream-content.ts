/** What a completions or a generate stream says, choice by choice, whatever the cuts: what must not be lost on the way. */
import { asList, asObject, asText, type Json } from "./chat-records.ts";

export interface ChoiceContent {
  text: string;
  readonly tokenIds: unknown[];
  readonly promptIds: unknown[];
  /** Every list of the log-probabilities, under its own name. */
  readonly logprobs: Record<string, unknown[]>;
  /** Fields of the choice that this file does not know, as `key=value`. */
  readonly unknown: string[];
  stopReason: unknown;
  finish: unknown;
}

export interface StreamContent {
  readonly choices: ReadonlyMap<number, ChoiceContent>;
  /** Fields at the top that this file does not know, each value once. */
  readonly top: ReadonlySet<string>;
}

const TOP = new Set(["id", "request_id", "object", "created", "model", "choices", "usage"]);
const CHOICE = new Set(["index", "text", "token_ids", "prompt_token_ids", "logprobs", "finish_reason", "stop_reason"]);

/** What a choice says after its finish does not count, nor does an error. */
export function streamContent(chunks: readonly Json[]): StreamContent {
  const choices = new Map<number, ChoiceContent>();
  const top = new Set<string>();
  for (const chunk of chunks.filter((json) => !("error" in json))) {
    for (const field of others(chunk, TOP)) top.add(field);
    for (const choice of asList(chunk["choices"])) {
      const content = choices.get(Number(choice["index"])) ?? nothing();
      choices.set(Number(choice["index"]), content);
      if (!content.finish) add(choice, content);
    }
  }
  return { choices, top };
}

function nothing(): ChoiceContent {
  return { text: "", tokenIds: [], promptIds: [], logprobs: {}, unknown: [], stopReason: null, finish: null };
}

function add(choice: Json, content: ChoiceContent): void {
  content.text += asText(choice["text"]);
  content.tokenIds.push(...ids(choice["token_ids"]));
  content.promptIds.push(...ids(choice["prompt_token_ids"]));
  for (const [key, list] of Object.entries(asObject(choice["logprobs"]))) {
    (content.logprobs[key] ??= []).push(...ids(list));
  }
  content.unknown.push(...others(choice, CHOICE));
  content.stopReason = choice["stop_reason"] ?? content.stopReason;
  content.finish = choice["finish_reason"] || content.finish;
}

function ids(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function others(json: Json, known: ReadonlySet<string>): string[] {
  return Object.entries(json)
    .filter(([key, value]) => !known.has(key) && value !== null)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`);
}
