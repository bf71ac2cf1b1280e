/** A stream as a client reads it, as chat spells it. Nothing here is the Worker's own code: a mistake must not be made twice. */
import { readIn, type OperationName, type RawChunk } from "./operations.ts";

export interface OpenAIError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

export interface CallFragment {
  readonly index?: number;
  readonly id?: string;
  readonly type?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

export interface Delta {
  readonly role?: string;
  readonly content?: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly CallFragment[];
  readonly function_call?: unknown;
}

export interface Choice {
  readonly index: number;
  readonly delta?: Delta | null;
  readonly finish_reason?: string | null;
  readonly logprobs?: { readonly content: readonly unknown[] } | null;
  readonly token_ids?: readonly number[] | null;
}

export interface Usage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly total_tokens?: number | null;
  readonly estimated?: boolean;
}

export interface Chunk {
  readonly id?: string;
  readonly object?: string;
  readonly created?: number;
  readonly model?: string;
  readonly choices?: readonly Choice[];
  readonly usage?: Usage | null;
  readonly error?: OpenAIError;
  readonly x_sim?: unknown;
}

export const KEEPALIVE = ": keepalive";
export const DONE = "[DONE]";

/** The records of a body, blank lines taken off. Throws where the body does not end with one. */
export function splitRecords(body: string): string[] {
  const records = body.split("\n\n");
  if (records.pop() !== "") throw new Error(`the last record has no blank line: ${body.slice(-200)}`);
  return records;
}

/** The chunk in a record of data, `undefined` for a keep-alive and for the terminator. */
export function readChunk(record: string, operation: OperationName): Chunk | undefined {
  if (record === KEEPALIVE || record === `data: ${DONE}`) return undefined;
  const chunk: RawChunk = JSON.parse(record.slice("data: ".length));
  return readIn(operation, chunk);
}

/** Reasoning under either key. */
export function reasoningOf(delta: Delta | null | undefined): string {
  return delta?.reasoning ?? delta?.reasoning_content ?? "";
}
