/** The operations that stream: how each is asked, and how its chunks are read. All read alike, so that a row is told once. */
import { FAULTS } from "../../../sim/faults/index.ts";
import type { Choice, Chunk } from "./chunks.ts";

export const OPERATIONS = ["chat", "completions", "generate"] as const;

export type OperationName = (typeof OPERATIONS)[number];

/** Where the origin streams text; generate streams token ids. */
export const TEXTUAL: readonly OperationName[] = ["chat", "completions"];

export const PROMPT = "Tell me about gates.";
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
  /** The request that all cases begin with; `fields` are a case's own, spelled as chat spells them. */
  readonly body: (fields: Fields) => object;
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
    body: (fields) => ({ messages: [{ role: "user", content: PROMPT }], ...fields }),
    read: (choice) => choice,
  },
  completions: {
    path: "/v1/completions",
    body: (fields) => ({ prompt: PROMPT, max_tokens: MAX_TOKENS, ...fields }),
    read: ({ text, ...choice }) => ({ ...choice, delta: text === undefined ? null : { content: text } }),
  },
  generate: {
    path: "/inference/v1/generate",
    body: ({ n, ...fields }) => ({
      token_ids: PROMPT_IDS,
      sampling_params: { max_tokens: MAX_TOKENS, ...(n !== undefined && { n }) },
      ...fields,
    }),
    read: (choice) => ({ ...choice, delta: choice.token_ids ? { content: wordsOf(choice.token_ids) } : null }),
  },
};

function wordsOf(ids: readonly number[]): string {
  return ids.map((id) => WORDS[id] ?? ` #${id}`).join("");
}

/** The operations in which the row's fault can occur, by the simulated origin's own word. */
export function operationsOf(row: string): readonly OperationName[] {
  const fault = FAULTS[row];
  return fault ? OPERATIONS.filter((name) => fault.in.includes(name)) : OPERATIONS;
}

/** What a chat's frames are where there is no role: see `frames.ts`. */
export function framesIn(operation: OperationName, frames: readonly string[]): readonly string[] {
  return operation === "chat" ? frames : frames.filter((frame) => !/^role( #\d)?$/.test(frame));
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
