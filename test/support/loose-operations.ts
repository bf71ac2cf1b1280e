/** Streams of completions and generate as an origin might send them: mixed, shared, unfinished, with usage anywhere. */
import * as fc from "fast-check";
import type { Json } from "./chat-records.ts";
import { seededRandom } from "./random.ts";

export interface LooseStream {
  readonly choices: number;
  readonly chunks: readonly Json[];
  /** The indices of the choices that have no finish. */
  readonly unfinished: readonly number[];
  /** The ids of all choices, counted. */
  readonly tokens: number;
  /** What the client asks for. */
  readonly options: Json | undefined;
}

export const PROMPT = [1, 2, 3, 4];

const piece = fc.record({
  text: fc.string({ maxLength: 3 }),
  ids: fc.array(fc.nat(99), { minLength: 1, maxLength: 2 }),
});
const choice = fc.record({
  pieces: fc.array(piece, { maxLength: 3 }),
  finish: fc.constantFrom("stop", "length", "someday", undefined),
  rides: fc.boolean(),
});
const stream = fc.record({
  choices: fc.array(choice, { minLength: 1, maxLength: 3 }),
  usage: fc.constantFrom("none", "early", "along", "end"),
  options: fc.constantFrom(undefined, { include_usage: true }, { include_usage: true, continuous_usage_stats: true }),
  shared: fc.boolean(),
  seed: fc.nat(),
});

/** `envelope` is that of every chunk; `withText` says that choices have text beside their ids. */
export function looseStreams(envelope: Json, withText: boolean): fc.Arbitrary<LooseStream> {
  return stream.map(({ choices, usage, options, shared, seed }) => {
    const random = seededRandom(seed);
    const queues = choices.map(({ pieces, finish, rides }, index) => {
      const queue: Json[] = pieces.map(({ text, ids }) => ({ index, ...(withText && { text }), token_ids: ids, x: 1 }));
      const last = queue.at(-1);
      if (finish !== undefined && rides && last) Object.assign(last, { finish_reason: finish, stop_reason: 7 });
      else if (finish !== undefined) {
        queue.push({ index, ...(withText && { text: "" }), token_ids: [], finish_reason: finish });
      }
      return queue;
    });
    const said: Json[] = [];
    for (let open = queues; open.length > 0; open = queues.filter((queue) => queue.length > 0)) {
      const next = open[Math.floor(random() * open.length)]?.shift();
      if (next) said.push(next);
    }
    const chunks = said.map((one): Json => ({ ...envelope, choices: [one] }));
    if (shared && chunks.length > 1) {
      const [first, second] = chunks.splice(0, 2);
      chunks.unshift({ ...envelope, choices: [first, second].flatMap((chunk) => chunk?.["choices"] ?? []) });
    }
    const tokens = said.reduce((sum, { token_ids: ids }) => sum + (Array.isArray(ids) ? ids.length : 0), 0);
    return {
      choices: choices.length,
      chunks: withUsage(chunks, usage, envelope, tokens),
      unfinished: choices.flatMap(({ finish }, index) => (finish === undefined ? [index] : [])),
      tokens,
      options,
    };
  });
}

function withUsage(chunks: Json[], place: string, envelope: Json, tokens: number): Json[] {
  const last = { ...envelope, choices: [], usage: counts(PROMPT.length, tokens), y: 1 };
  if (place === "end") return [...chunks, last];
  if (place === "early" && chunks.length > 0) return [last, ...chunks];
  if (place === "none" || chunks.length === 0) return chunks;
  // Before the prompt has been counted.
  return [...chunks.map((chunk, at) => ({ ...chunk, usage: counts(at === 0 ? 0 : PROMPT.length, 1) })), last];
}

export function counts(prompt: number, completion: number): Json {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

export function streamBytes(chunks: readonly Json[], end: string): Uint8Array {
  return new TextEncoder().encode(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("") + end);
}
