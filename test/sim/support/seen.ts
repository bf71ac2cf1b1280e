import { recordsOf } from "./shape.ts";
import type { WireAnswer } from "./wire.ts";

/** The record that ends a stream. */
export const LAST = "data: [DONE]\n\n";

/** What must hold of a fault's answer, by the fault's name and its switches. */
export type Checks = Record<string, (answer: Seen) => void>;

/** What a fault's answer shows. */
export interface Seen extends WireAnswer {
  text: string;
  /** The data of each event, in order. */
  events: string[];
  chunks: Buffer[];
  header(name: string): string | undefined;
  finishes: string[];
  deltas: Record<string, unknown>[];
  /** What each choice of each chunk says: its text, or its ids joined. */
  said: string[];
}

/** Reads an answer. */
export function seen(answer: WireAnswer): Seen {
  const text = answer.body.toString();
  const events = recordsOf(text)
    .filter((record) => record.startsWith("data: "))
    .map((record) => record.slice("data: ".length));
  const parsed = events.filter((event) => event.startsWith("{")).map(tryParse);
  const choices = parsed.flatMap((chunk) => chunk.choices ?? []);
  return {
    ...answer,
    text,
    events,
    header: (name) => answer.headers.find(([known]) => known === name)?.[1],
    finishes: choices.flatMap((choice) => (choice.finish_reason ? [choice.finish_reason] : [])),
    deltas: choices.map((choice) => choice.delta ?? {}),
    said: choices.map((choice) => contentOf(choice.delta ?? {}) || (choice.text ?? choice.token_ids?.join(",") ?? "")),
  };
}

interface Chunk {
  choices?: {
    index: number;
    delta?: Record<string, unknown> | null;
    text?: string | null;
    token_ids?: number[] | null;
    finish_reason?: string | null;
  }[];
  usage?: Record<string, unknown>;
}

function tryParse(text: string): Chunk {
  try {
    const chunk: Chunk = JSON.parse(text);
    return chunk;
  } catch {
    return {};
  }
}

/** A delta's text, empty where it has none. */
export function contentOf(delta: Record<string, unknown>): string {
  return typeof delta["content"] === "string" ? delta["content"] : "";
}

/** How many chunks say something. */
export function tokens(a: Seen): number {
  return a.said.filter((text) => text !== "").length;
}

/** The call entries of all deltas. */
export function calls(a: Seen): Record<string, unknown>[] {
  return a.deltas.flatMap((delta) => (Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : []));
}

/** The arguments of all calls, joined. */
export function argumentsOf(a: Seen): string {
  return calls(a)
    .map((call) => /"arguments":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(call))?.[1] ?? '""')
    .map((text) => String(JSON.parse(text)))
    .join("");
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
