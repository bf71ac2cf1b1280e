/** Completions and generate streams that nobody recorded: whatever an origin leaves out or mixes up, the client's stream is right. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Call } from "../../src/protocols/protocol.ts";
import { readChatRecords, type Json } from "../support/chat-records.ts";
import { completionsBreaches } from "../support/completions-grammar.ts";
import { generateBreaches } from "../support/generate-grammar.ts";
import { counts, looseStreams, PROMPT, streamBytes, type LooseStream } from "../support/loose-operations.ts";
import { readCompletions, readGeneration } from "../support/operations.ts";
import { randomPieces, seededRandom } from "../support/random.ts";
import { replayStream, streamCall, type Replay } from "../support/replay.ts";
import { streamContent, type ChoiceContent } from "../support/stream-content.ts";
import type { Expected } from "../support/stream-grammar.ts";

const DONE = "data: [DONE]\n\n";
const ENDINGS = [DONE, DONE + DONE, `${DONE}data: not JSON\n\n`, DONE.trimEnd(), ""];
const RUNS = { numRuns: 300, seed: 5, endOnFailure: true };

interface Case {
  readonly envelope: Json;
  readonly withText: boolean;
  readonly read: (stream: LooseStream) => Call;
  readonly breaches: (stream: string, expected: Expected) => readonly string[];
}

const CASES: Readonly<Record<"completions" | "generate", Case>> = {
  completions: {
    envelope: { id: "c", object: "text_completion", created: 5, model: "m" },
    withText: true,
    read: ({ choices, options }) =>
      readCompletions(
        JSON.stringify({
          model: "m",
          prompt: PROMPT,
          n: choices,
          max_tokens: 99,
          stream: true,
          stream_options: options,
        }),
      ),
    breaches: completionsBreaches,
  },
  generate: {
    envelope: { request_id: "r" },
    withText: false,
    read: ({ choices, options }) =>
      readGeneration(
        JSON.stringify({ token_ids: PROMPT, sampling_params: { n: choices }, stream: true, stream_options: options }),
      ),
    breaches: generateBreaches,
  },
};

function expectedOf({ choices, options }: LooseStream): Expected {
  if (!options) return { choices, usage: "none" };
  return { choices, usage: "continuous_usage_stats" in options ? "continuous" : "final" };
}

function contentOf(chunks: readonly Json[]): ReadonlyMap<number, ChoiceContent> {
  return streamContent(chunks).choices;
}

/** Returns why the stream must fail; `invents`: a finish that is missing before a terminator is made. */
function failureOf({ unfinished, chunks }: LooseStream, end: string, invents: boolean): string | undefined {
  if (!chunks.some(({ choices }) => Array.isArray(choices) && choices.length > 0)) return "origin_protocol";
  return unfinished.length > 0 && (end === "" || !invents) ? "origin_cut" : undefined;
}

describe.each(["completions", "generate"] as const)("a %s stream", (name) => {
  const { envelope, withText, read, breaches } = CASES[name];
  const streams = looseStreams(envelope, withText);
  const replay = (stream: LooseStream, end: string, seed: number): Replay =>
    replayStream(streamCall(read(stream)), randomPieces(streamBytes(stream.chunks, end), seededRandom(seed), 60));

  test("is in order, and nothing of it is lost", () => {
    const property = fc.property(streams, fc.constantFrom(...ENDINGS), fc.nat(), (stream, end, seed) => {
      const { text, failure } = replay(stream, end, seed);
      expect(failure?.code).toBe(failureOf(stream, end, name === "completions"));
      expect(breaches(text, expectedOf(stream))).toEqual([]);

      const injected = failure
        ? []
        : stream.unfinished.map((index) => ({ choices: [{ index, finish_reason: "stop" }] }));
      const heard = readChatRecords(text).chunks.map(({ json }) => json);
      expect(contentOf(heard)).toEqual(contentOf([...stream.chunks, ...injected]));
      if (failure || !stream.options) return;
      const { usage } = heard.at(-1) ?? {};
      expect(usage).toMatchObject(name === "generate" ? counts(PROMPT.length, stream.tokens) : {});
    });
    fc.assert(property, RUNS);
  });

  test("comes out the same however it is cut", () => {
    const property = fc.property(streams, fc.constantFrom(...ENDINGS), fc.nat(), (stream, end, seed) => {
      const all = replayStream(streamCall(read(stream)), [streamBytes(stream.chunks, end)]);
      expect(replay(stream, end, seed).text).toBe(all.text);
    });
    fc.assert(property, { ...RUNS, numRuns: 200 });
  });

  test("that breaks off at any byte never looks finished before it is", () => {
    const property = fc.property(streams, fc.nat(), fc.nat(), (stream, place, seed) => {
      const bytes = streamBytes(stream.chunks, DONE);
      const prefix = bytes.subarray(0, place % bytes.length);
      const answer = replayStream(streamCall(read(stream)), randomPieces(prefix, seededRandom(seed), 60));
      expect(breaches(answer.text, expectedOf(stream))).toEqual([]);
      const came = contentOf(wholeChunks(prefix));
      const finished = [...came.values()].filter(({ finish }) => finish !== null).length === stream.choices;
      expect(answer.failure === undefined).toBe(
        finished || terminated(prefix, name === "completions" && came.size > 0),
      );
    });
    fc.assert(property, RUNS);
  });
});

/** Returns the records that came whole, or the last of them but for its blank line. */
function wholeChunks(prefix: Uint8Array): Json[] {
  return new TextDecoder()
    .decode(prefix)
    .split("\n\n")
    .flatMap((record): Json[] => {
      try {
        return [JSON.parse(record.slice("data: ".length))];
      } catch {
        return [];
      }
    });
}

/** Whether the terminator has come, but for its blank line, and is enough to end the stream well. */
function terminated(prefix: Uint8Array, enough: boolean): boolean {
  return enough && new TextDecoder().decode(prefix).trimEnd().endsWith("data: [DONE]");
}
