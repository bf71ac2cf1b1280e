/** The operations: how each is asked, and how its answers are read. All read alike, so that a row is told once. */
import { FAULTS } from "../../../sim/faults/index.ts";
import { asList, asObject } from "../../support/chat-records.ts";
import type { Choice, Chunk } from "./chunks.ts";

export const OPERATIONS = ["chat", "completions", "generate", "messages", "count_tokens"] as const;

export type OperationName = (typeof OPERATIONS)[number];

/** Those whose streams are vLLM's own. */
export const OPENAI: readonly OperationName[] = ["chat", "completions", "generate"];

/** Of these, where the origin streams text; generate streams token ids. */
export const TEXTUAL: readonly OperationName[] = ["chat", "completions"];

/** Where a client reads a stream of text, in whatever protocol. */
export const TELLING: readonly OperationName[] = [...TEXTUAL, "messages"];

export const PROMPT = "Tell me about gates.";
const MESSAGES = [{ role: "user", content: PROMPT }];
/** The prompt's ids, one for each of its characters. */
const PROMPT_IDS = [54, 71, 78, 78, 223, 79, 71, 223, 67, 68, 81, 87, 86, 223, 73, 67, 86, 71, 85, 16];
/** More than any row says: completions stop after 16 tokens unless they are told otherwise. */
const MAX_TOKENS = 4_000;

/** What the simulated model's tokens say, as far as this suite hears them; 2 is the end mark, which says nothing. */
const WORDS: Readonly<Record<number, string>> = {
  2: "",
  2810: " a",
  4006: " on",
  4012: "Bees",
  4110: " home",
  5133: " agree",
  5939: " new",
};

type Fields = Readonly<Record<string, unknown>>;

interface Operation {
  readonly path: string;
  /**
   * The request that all cases begin with; `fields` are a case's own, spelled as chat spells them. The origin hears of
   * `mark`.
   */
  readonly body: (fields: Fields, mark: string) => object;
  /** The choice as chat would have spelled it. */
  readonly read: (choice: RawChoice) => Choice;
}

/** A choice in any spelling. */
export interface RawChoice extends Choice {
  readonly text?: string;
}

export const BY_NAME: Readonly<Record<OperationName, Operation>> = {
  chat: {
    path: "/v1/chat/completions",
    body: (fields, user) => ({ user, messages: MESSAGES, ...fields }),
    read: (choice) => choice,
  },
  completions: {
    path: "/v1/completions",
    body: (fields, user) => ({ user, prompt: PROMPT, max_tokens: MAX_TOKENS, ...fields }),
    read: ({ text, ...choice }) => ({ ...choice, delta: text === undefined ? null : { content: text } }),
  },
  generate: {
    path: "/inference/v1/generate",
    body: ({ n, ...fields }, user) => ({
      user,
      token_ids: PROMPT_IDS,
      sampling_params: { max_tokens: MAX_TOKENS, ...(n !== undefined && { n }) },
      ...fields,
    }),
    read: (choice) => ({ ...choice, delta: choice.token_ids ? { content: wordsOf(choice.token_ids) } : null }),
  },
  // Both are read after `messages.ts` has spelled them as chat does.
  messages: {
    path: "/v1/messages",
    body: ({ max_tokens: limit = MAX_TOKENS, stream, ...fields }, mark) => ({
      ...asked(fields, mark),
      max_tokens: limit,
      stream,
    }),
    read: (choice) => choice,
  },
  count_tokens: {
    path: "/v1/messages/count_tokens",
    body: (fields, mark) => asked(fields, mark),
    read: (choice) => choice,
  },
};

/** Template arguments are what reaches the origin's tokenizer, too. */
function asked({ tools, parallel_tool_calls: many }: Fields, mark: string): object {
  const translated = asList(tools).map((tool) => {
    const { name, parameters } = asObject(tool["function"]);
    return { name, input_schema: parameters };
  });
  return {
    messages: MESSAGES,
    chat_template_kwargs: { mark },
    ...(translated.length > 0 && { tools: translated }),
    ...(many === false && { tool_choice: { type: "auto", disable_parallel_tool_use: true } }),
  };
}

function wordsOf(ids: readonly number[]): string {
  return ids.map((id) => WORDS[id] ?? ` #${id}`).join("");
}

/** Of several choices: the others do not ask for them. */
const MANY = new Set(["one-of-two", "one-of-two-cut"]);

/** The operations in which the row's fault can occur, by the simulated origin's own word. */
export function operationsOf(row: string): readonly OperationName[] {
  const fault = FAULTS[row];
  if (!fault) return OPERATIONS;
  return OPERATIONS.filter((name) => {
    // Of Messages the origin is asked for a stream of chat, also where the client wants a whole answer.
    if (name === "messages") return fault.in.includes("chat") && fault.spoils !== "whole" && !MANY.has(row);
    if (name === "count_tokens") return fault.in.includes("relay") && fault.spoils !== "stream";
    return fault.in.includes(name);
  });
}

/** What a chat's frames are where there is no role, or always a usage: see `frames.ts`. */
export function framesIn(operation: OperationName, frames: readonly string[]): readonly string[] {
  if (operation === "chat" || !Array.isArray(frames)) return frames;
  if (operation !== "messages") return frames.filter((frame) => !/^role( #\d)?$/.test(frame));
  const others = frames.filter((frame) => frame !== "usage");
  return others.flatMap((frame) => (frame.startsWith("finish") ? [frame, "usage"] : frame));
}

/** The chunk with its choices and its id as chat would have spelled them. */
export function readIn(operation: OperationName, chunk: RawChunk): Chunk {
  const { request_id: id, choices, ...rest } = chunk;
  const read = choices?.map((choice) => BY_NAME[operation].read(choice));
  return { ...rest, ...(id !== undefined && { id }), ...(read && { choices: read }) };
}

/** A chunk in any spelling. */
export interface RawChunk extends Omit<Chunk, "choices"> {
  readonly request_id?: string;
  readonly choices?: readonly RawChoice[];
}
