/** What an answer says, for comparisons: between vLLM's own and the one that a client gets, and with what was dictated. */
import { expect } from "vitest";
import { chatContent } from "../../support/chat-content.ts";
import { expectOwed } from "../../support/chat-owed.ts";
import { asList, asObject, readChatRecords, type Json } from "../../support/chat-records.ts";
import type { Answer } from "./stage.ts";

export interface Said {
  readonly reasoning?: string;
  readonly text?: string;
  /** Name and arguments of each. */
  readonly calls?: readonly (readonly [name: string, args: string])[];
  /** Whether there are any; what they are is compared with vLLM's own. */
  readonly logprobs?: true;
  readonly tokenIds?: true;
  readonly finish: string | null;
}

const CALL_ID = /"id":"(?:call_|chatcmpl-tool-)[^"]*"/g;

/** Fails unless `heard` keeps the rules of a stream and holds all that vLLM `said` to the same request. */
export function expectAllOf(request: Json, said: string, heard: string): void {
  // Each run makes its own ids for calls.
  expectOwed(request, said.replace(CALL_ID, '"id":"call"'), heard.replace(CALL_ID, '"id":"call"'));
  const ids = heard.match(CALL_ID) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
  expectUsageOf(said, heard);
}

/** Fails unless the last usage of `heard` is the one that vLLM `said`; whoever did not ask for usage has none to lose. */
export function expectUsageOf(said: string, heard: string): void {
  const [counted] = usagesIn(said).slice(-1);
  if (counted) expect(withoutCache(usagesIn(heard).at(-1) ?? {})).toEqual(withoutCache(counted));
}

/** Returns what each choice of a stream says, in the order of their indices. */
export function saidIn(stream: string): Said[] {
  const { choices } = chatContent(chunksIn(stream));
  return [...choices.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([, { reasoning, text, calls, logprobs, tokenIds, finish }]) => ({
      ...(reasoning && { reasoning }),
      ...(text && { text }),
      ...(calls.length > 0 && { calls: calls.map(({ name, args }): readonly [string, string] => [name, args]) }),
      ...(logprobs.length > 0 && { logprobs: true }),
      ...(tokenIds.length > 0 && { tokenIds: true }),
      finish: typeof finish === "string" ? finish : null,
    }));
}

/** Returns the chunks of a stream, without an error event. */
export function chunksIn(stream: string): Json[] {
  return readChatRecords(stream)
    .chunks.map(({ json }) => json)
    .filter((json) => !("error" in json));
}

/** Returns the usage of each chunk that has one. */
export function usagesIn(stream: string): Json[] {
  return chunksIn(stream)
    .map(({ usage }) => asObject(usage))
    .filter((usage) => Object.keys(usage).length > 0);
}

/** Whether the prompt was cached depends on what was asked before. */
function withoutCache({ prompt_tokens_details: _cached, ...usage }: Json): Json {
  return usage;
}

/** Differ from run to run. */
const RUN = new Set(["id", "request_id", "created", "cached_tokens", "created_cache_tokens", "prompt_tokens_details"]);
/** Ours, beside vLLM's own. */
const ADDED = new Set(["reasoning_content", "cache_write_tokens"]);

/** Returns a whole answer without what differs between two runs and without what we add. */
export function comparable({ text }: Answer): Json {
  return JSON.parse(text, (key, value: unknown) => (ADDED.has(key) || RUN.has(key) ? undefined : value));
}

/** Returns the messages of a whole answer. */
export function messagesIn(answer: Json): Json[] {
  return asList(answer["choices"]).map(({ message }) => asObject(message));
}
