/** Whole chat streams as loose as any origin may write them, and beside them what they say. */
import * as fc from "fast-check";
import type { ChoiceContent } from "./chat-content.ts";
import type { Expected } from "./chat-grammar.ts";
import { looseChoice } from "./chat-loose.ts";
import type { Json } from "./chat-records.ts";

export interface LooseStream {
  readonly request: string;
  readonly expected: Expected;
  /** The chunks, without the terminator. */
  readonly chunks: readonly Json[];
  readonly content: ReadonlyMap<number, ChoiceContent>;
  /** Whether there is not a single choice in it. */
  readonly empty: boolean;
  /** Whether the origin finishes every choice. */
  readonly finishes: boolean;
}

const USAGE = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const NONSENSE = [null, {}, { prompt_tokens: -1 }, "many", { prompt_tokens: 3, completion_tokens: 4, total_tokens: 9 }];

export function looseStream(g: fc.GeneratorValue, reasons: readonly string[]): LooseStream {
  const count = g(fc.constantFrom, 1, 1, 2, 3);
  const single = g(fc.boolean);
  const usage = g(fc.constantFrom, "none", "final", "continuous");
  const choices = Array.from({ length: count }, (_, index) => looseChoice(g, { index, single, reasons }));
  const chunks = interleave(
    g,
    choices.map((choice) => [...choice.choices]),
  );
  withUsage(g, chunks);
  const [first] = chunks;
  if (first && g(fc.boolean)) first["x_top"] = ["kept"];
  if (g(fc.boolean)) chunks.unshift({ x_aside: 1, ...(g(fc.boolean) && { choices: [] }) });
  for (const chunk of chunks) withEnvelope(g, chunk);
  const request: Json = {
    model: "mine",
    n: count,
    messages: [{ role: "user", content: "Say it." }],
    stream: true,
    ...(single && { parallel_tool_calls: false }),
    ...(usage !== "none" && {
      stream_options: { include_usage: true, continuous_usage_stats: usage === "continuous" },
    }),
  };
  return {
    request: JSON.stringify(request),
    expected: { choices: count, usage, model: "mine" },
    chunks,
    content: new Map(choices.map(({ content }, index) => [index, content])),
    empty: choices.every((choice) => choice.choices.length === 0),
    finishes: choices.every((choice) => choice.finishes),
  };
}

/** Mixes the choices' shares; two of different choices may share a chunk. */
function interleave(g: fc.GeneratorValue, shares: readonly Json[][]): Json[] {
  const chunks: Json[] = [];
  for (;;) {
    const open = shares.filter((share) => share.length > 0);
    if (open.length === 0) return chunks;
    const share = g(fc.constantFrom, ...open);
    const other = open.find((candidate) => candidate !== share);
    const together = other !== undefined && g(fc.nat, { max: 4 }) === 0;
    const choices = [share.shift(), together ? other.shift() : undefined];
    chunks.push({ choices: choices.filter((choice) => choice !== undefined) });
  }
}

function withUsage(g: fc.GeneratorValue, chunks: Json[]): void {
  const where = g(fc.constantFrom, "nowhere", "end", "twice", "early", "everywhere", "nonsense");
  if (where === "everywhere") for (const said of chunks) said["usage"] = USAGE;
  if (where === "nonsense") for (const said of chunks) said["usage"] = g(fc.constantFrom, ...NONSENSE);
  if (where === "early") chunks.splice(g(fc.nat, { max: chunks.length }), 0, usageChunk(USAGE));
  if (where === "nonsense") chunks.push(usageChunk(g(fc.constantFrom, ...NONSENSE)));
  if (where === "end" || where === "twice" || where === "everywhere") chunks.push(usageChunk(USAGE));
  if (where === "twice") chunks.push({ ...usageChunk(USAGE), choices: undefined });
}

function withEnvelope(g: fc.GeneratorValue, chunk: Json): void {
  const way = g(fc.constantFrom, "right", "right", "foreign", "missing");
  if (way === "right") Object.assign(chunk, { id: "c", object: "chat.completion.chunk", created: 5, model: "theirs" });
  if (way === "foreign") Object.assign(chunk, { id: "d", object: "text_completion", created: 6, model: "other" });
}

/** Returns the stream's bytes; `end` follows the last chunk. */
export function streamBytes(chunks: readonly Json[], end: string): Uint8Array {
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
  return new TextEncoder().encode(text + end);
}

function usageChunk(usage: unknown): Json {
  return { choices: [], usage };
}
