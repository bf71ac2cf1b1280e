/** Chat streams that nobody recorded: whatever an origin leaves out, repeats or mixes up, the client's stream is right. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatContent, type ChoiceContent } from "../support/chat-content.ts";
import { chatBreaches } from "../support/chat-grammar.ts";
import { MADE } from "../support/chat-loose-calls.ts";
import { looseStream, streamBytes, type LooseStream } from "../support/chat-loose-stream.ts";
import { readChatRecords } from "../support/chat-records.ts";
import { replayChat, type Replay } from "../support/chat-replay.ts";
import { randomPieces, seededRandom } from "../support/random.ts";

const DONE = "data: [DONE]\n\n";
const GOOD = ["stop", "length", "tool_calls", "repetition", "function_call", "someday", ""];
const ENDINGS = [DONE, DONE + DONE, `${DONE}data: {"choices":[]}\n\n`, `${DONE}data: not JSON\n\n`, DONE.trimEnd()];

/** A shrunk stream takes minutes to find; the seed and path of a failure are enough to look at it. */
const RUNS = { numRuns: 300, seed: 4, endOnFailure: true };

function replay(stream: LooseStream, end: string, seed: number): Replay {
  return replayChat(stream.request, randomPieces(streamBytes(stream.chunks, end), seededRandom(seed), 60));
}

function heard({ text }: Replay): ReadonlyMap<number, ChoiceContent> {
  const { choices } = chatContent(readChatRecords(text).chunks.map(({ json }) => json));
  for (const { calls, unknown } of choices.values()) {
    unknown.sort();
    for (const call of calls) if (String(call.id).startsWith("call_made-")) call.id = MADE;
  }
  return choices;
}

describe("a terminated stream", () => {
  test("is in order, and nothing of it is lost", () => {
    const property = fc.property(fc.gen(), fc.constantFrom(...ENDINGS), fc.nat(), (g, end, seed) => {
      const stream = looseStream(g, GOOD);
      const answer = replay(stream, end, seed);
      expect(answer.failure?.code).toBe(stream.empty ? "origin_protocol" : undefined);
      expect(chatBreaches(answer.text, stream.expected)).toEqual([]);
      if (stream.empty) return;
      expect(heard(answer)).toEqual(stream.content);
      for (const field of ["x_top", "x_aside"]) {
        const sent = JSON.stringify(stream.chunks).includes(field) ? 1 : 0;
        expect(answer.text.split(field).length - 1, field).toBe(sent);
      }
    });
    fc.assert(property, RUNS);
  });

  test("that holds an abort or an error ends in an error, in order up to there", () => {
    const property = fc.property(fc.gen(), fc.nat(), (g, seed) => {
      const stream = looseStream(g, ["abort", "error"]);
      const answer = replay(stream, DONE, seed);
      expect(answer.failure?.code).toBe("origin_error");
      expect(chatBreaches(answer.text, stream.expected)).toEqual([]);
    });
    fc.assert(property, RUNS);
  });

  test("comes out the same however it is cut", () => {
    const property = fc.property(fc.gen(), fc.nat(), (g, seed) => {
      const stream = looseStream(g, [...GOOD, "abort"]);
      const bytes = streamBytes(stream.chunks, DONE);
      expect(replay(stream, DONE, seed).text).toBe(replayChat(stream.request, [bytes]).text);
    });
    fc.assert(property, { ...RUNS, numRuns: 200 });
  });
});

describe("a stream without a terminator", () => {
  test("is complete where every choice has finished, and cut where one has not", () => {
    const property = fc.property(fc.gen(), fc.nat(), (g, seed) => {
      const stream = looseStream(g, GOOD);
      const answer = replay(stream, "", seed);
      const cut = stream.empty ? "origin_protocol" : "origin_cut";
      expect(answer.failure?.code).toBe(stream.finishes ? undefined : cut);
      expect(chatBreaches(answer.text, stream.expected)).toEqual([]);
      if (stream.finishes) expect(heard(answer)).toEqual(stream.content);
    });
    fc.assert(property, RUNS);
  });

  test("that breaks off at any byte never looks finished", () => {
    const property = fc.property(fc.gen(), fc.nat(), fc.nat(), (g, place, seed) => {
      const stream = looseStream(g, ["stop", "length", "tool_calls"]);
      const bytes = streamBytes(stream.chunks, DONE);
      const prefix = bytes.subarray(0, place % bytes.length);
      const answer = replayChat(stream.request, randomPieces(prefix, seededRandom(seed), 60));
      expect(chatBreaches(answer.text, stream.expected)).toEqual([]);
      expect(answer.failure === undefined).toBe(finishedWithin(prefix, stream.expected.choices));
    });
    fc.assert(property, RUNS);
  });
});

/** Whether every choice has its finish among the records that came whole, or the last of them but for its blank line. */
function finishedWithin(prefix: Uint8Array, choices: number): boolean {
  const records = new TextDecoder().decode(prefix).split("\n\n");
  const finished = new Set<unknown>();
  for (const record of records) {
    try {
      for (const { index, finish_reason: reason } of JSON.parse(record.slice("data: ".length)).choices ?? []) {
        if (reason) finished.add(index);
      }
    } catch {
      // Half a record.
    }
  }
  return finished.size === choices;
}
