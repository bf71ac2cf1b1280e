/** Requests of completions and generate, what the model is told to say to them, and what is compared of their streams. */
import { expect, inject } from "vitest";
import { expectedOf } from "../../support/chat-owed.ts";
import { asObject, type Json } from "../../support/chat-records.ts";
import { completionsBreaches } from "../../support/completions-grammar.ts";
import { generateBreaches } from "../../support/generate-grammar.ts";
import { streamContent, type ChoiceContent } from "../../support/stream-content.ts";
import { chunksIn, expectUsageOf } from "./said.ts";

export const COMPLETIONS = "/v1/completions";
export const GENERATE = "/inference/v1/generate";

const PROMPT = "Once upon a time";
const PROMPT_IDS = [40, 300, 500, 77];

/** Returns a completions request for a stream; what `fields` say comes on top. */
export function completion(fields: Json): Json {
  return { model: inject("vllm").model, prompt: PROMPT, stream: true, max_tokens: 100, ...fields };
}

/** Returns a generate request for a stream; what `fields` say comes on top. */
export function generation(params: Json, fields: Json = {}): Json {
  const sampling = { max_tokens: 10, ...params };
  return { model: inject("vllm").model, token_ids: PROMPT_IDS, sampling_params: sampling, stream: true, ...fields };
}

/** The model makes these tokens; with `delayMs`, each of them takes that long. Each front end looks in its own place. */
export function dictate(ids: readonly number[], delayMs?: number): Json {
  const said = { ids: ids.join(","), ...(delayMs !== undefined && { delay_ms: delayMs }) };
  return { extra_args: said, vllm_xargs: said };
}

/** Fails unless `heard` keeps the rules of a completions stream and holds all that vLLM `said` to the same request. */
export function expectCompletion(request: Json, said: string, heard: string): void {
  const { prompt, n } = request;
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== "number" ? prompt.length : 1;
  const choices = prompts * (typeof n === "number" ? n : 1);
  expect(completionsBreaches(heard, { ...expectedOf(request), choices })).toEqual([]);
  expectContent(said, heard);
}

/** Fails unless `heard` keeps the rules of a generate stream and holds all that vLLM `said` to the same request. */
export function expectGeneration(request: Json, said: string, heard: string): void {
  const { n } = asObject(request["sampling_params"]);
  expect(generateBreaches(heard, { ...expectedOf(request), choices: typeof n === "number" ? n : 1 })).toEqual([]);
  expectContent(said, heard);
}

function expectContent(said: string, heard: string): void {
  expect(streamContent(chunksIn(heard))).toEqual(streamContent(chunksIn(said)));
  expectUsageOf(said, heard);
}

/** What a choice says, and how it ends. */
export type Spoken<Content> = readonly [content: Content, finish: string];

/** Returns the text and the finish of each choice of a stream, in the order of their indices. */
export function textsIn(stream: string): (readonly [text: string, finish: unknown])[] {
  return contents(stream).map(({ text, finish }) => [text, finish]);
}

/** Returns the token ids and the finish of each choice of a stream, in the order of their indices. */
export function idsIn(stream: string): (readonly [ids: readonly unknown[], finish: unknown])[] {
  return contents(stream).map(({ tokenIds, finish }) => [tokenIds, finish]);
}

function contents(stream: string): ChoiceContent[] {
  const { choices } = streamContent(chunksIn(stream));
  return [...choices.entries()].toSorted(([a], [b]) => a - b).map(([, content]) => content);
}
