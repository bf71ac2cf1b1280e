/** Chat streams that nobody recorded: whatever an origin leaves out, repeats or mixes up, the Messages stream is right. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grammarFault } from "../../src/events/grammar.ts";
import { looseStream, streamBytes, type LooseStream } from "../support/chat-loose-stream.ts";
import { asObject, type Json } from "../support/chat-records.ts";
import { accumulate, saidIn } from "../support/messages-content.ts";
import { messagesBreaches } from "../support/messages-grammar.ts";
import { readMessagesRecords } from "../support/messages-records.ts";
import { asMessages, foldMessages, replayMessages } from "../support/messages-replay.ts";
import { randomPieces, seededRandom } from "../support/random.ts";

const DONE = "data: [DONE]\n\n";
const GOOD = ["stop", "length", "tool_calls", "content_filter", "repetition", "function_call", "someday", ""];
const ENDINGS = [DONE, DONE + DONE, `${DONE}data: {"choices":[]}\n\n`, `${DONE}data: not JSON\n\n`, DONE.trimEnd()];

/** A shrunk stream takes minutes to find; the seed and path of a failure are enough to look at it. */
const RUNS = { numRuns: 60, seed: 4, endOnFailure: true };

/** Each run is two answers, and on a busy machine that adds up. */
const SLOW = { timeout: 20_000 };

/** A tool makes the wish for a single call count. */
const TOOLS = [{ type: "function", function: { name: "tool_0" } }];

function requestOf({ request }: LooseStream): Json {
  return asMessages({ ...asObject(JSON.parse(request)), tools: TOOLS });
}

/** Whether the origin's own first choice is what a client of this protocol can be given. */
function isWhole({ content }: LooseStream): boolean {
  const { calls = [], finish } = content.get(0) ?? {};
  const cut = finish === "length" || finish === "repetition";
  // A limit cuts nothing but the last part, and nothing comes after the calls here.
  return (cut ? calls.slice(0, -1) : calls).every(({ args }) => isJson(args));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function dense(text: string): string {
  return text.replaceAll(/\s/g, "");
}

function expectTheSameOf(stream: LooseStream, text: string): void {
  const said = saidIn(readMessagesRecords(text));
  const came = stream.content.get(0);
  expect(dense(said.text)).toBe(dense(came?.text ?? ""));
  expect(dense(said.reasoning)).toBe(dense(came?.reasoning ?? ""));
  expect(said.calls.map(({ name, args }) => [name, args])).toEqual(came?.calls.map(({ name, args }) => [name, args]));
}

describe("a terminated stream", SLOW, () => {
  test("is in order, nothing of it is lost, and the whole answer is the same", () => {
    const property = fc.property(fc.gen(), fc.constantFrom(...ENDINGS), fc.nat(), (g, end, seed) => {
      const stream = looseStream(g, GOOD);
      const request = requestOf(stream);
      const pieces = randomPieces(streamBytes(stream.chunks, end), seededRandom(seed), 60);
      const { text, failure } = replayMessages(request, pieces);
      const { answer, events } = foldMessages(request, pieces);
      expect(messagesBreaches(text, { model: "mine" })).toEqual([]);
      expect(grammarFault(events)).toBeUndefined();
      expect(failure?.code).toBe(isWhole(stream) && !saysNothing(stream) ? undefined : "origin_protocol");
      if (failure) {
        expect(answer).toBe("origin_protocol");
        return;
      }
      expectTheSameOf(stream, text);
      const { content, stop, usage } = accumulate(readMessagesRecords(text));
      expect(answer).toMatchObject({ content, ...stop, usage });
    });
    fc.assert(property, RUNS);
  });

  test("that holds an abort or an error ends in an error, in order up to there", () => {
    const property = fc.property(fc.gen(), fc.nat(), (g, seed) => {
      const stream = looseStream(g, ["abort", "error"]);
      const pieces = randomPieces(streamBytes(stream.chunks, DONE), seededRandom(seed), 60);
      const { text, failure } = replayMessages(requestOf(stream), pieces);
      expect(failure?.code).toBe("origin_error");
      expect(messagesBreaches(text)).toEqual([]);
      const said = saidIn(readMessagesRecords(text));
      expect(dense(said.text)).toBe(dense(stream.content.get(0)?.text ?? ""));
      expect(dense(said.reasoning)).toBe(dense(stream.content.get(0)?.reasoning ?? ""));
    });
    fc.assert(property, RUNS);
  });

  test("comes out the same however it is cut", () => {
    const property = fc.property(fc.gen(), fc.nat(), (g, seed) => {
      const stream = looseStream(g, [...GOOD, "abort"]);
      const bytes = streamBytes(stream.chunks, DONE);
      const request = requestOf(stream);
      const cut = randomPieces(bytes, seededRandom(seed), 60);
      expect(replayMessages(request, cut).text).toBe(replayMessages(request, [bytes]).text);
    });
    fc.assert(property, { ...RUNS, numRuns: 40 });
  });
});

describe("a stream without a terminator", SLOW, () => {
  test("that breaks off at any byte never looks finished", () => {
    const property = fc.property(fc.gen(), fc.nat(), fc.nat(), (g, place, seed) => {
      const stream = looseStream(g, ["stop", "length", "tool_calls"]);
      const bytes = streamBytes(stream.chunks, DONE);
      const prefix = bytes.subarray(0, place % bytes.length);
      const pieces = randomPieces(prefix, seededRandom(seed), 60);
      const request = requestOf(stream);
      const { text, failure } = replayMessages(request, pieces);
      expect(messagesBreaches(text)).toEqual([]);
      expect(text.includes("event: message_stop\n")).toBe(failure === undefined);
      expect(typeof foldMessages(request, pieces).answer).toBe(failure === undefined ? "object" : "string");
      if (!failure) expect(finishesWithin(prefix)).toBe(true);
    });
    fc.assert(property, RUNS);
  });
});

/** Whether there is no first choice in it. */
function saysNothing({ chunks }: LooseStream): boolean {
  return !chunks.some(({ choices }) => Array.isArray(choices) && choices.some(({ index }) => index === 0));
}

/** Whether the first choice has its finish among the records that came whole, or the last of them but for its blank line. */
function finishesWithin(prefix: Uint8Array): boolean {
  return new TextDecoder()
    .decode(prefix)
    .split("\n\n")
    .some((record) => {
      try {
        const { choices = [] } = JSON.parse(record.slice("data: ".length));
        return choices.some((choice: Json) => choice["index"] === 0 && choice["finish_reason"]);
      } catch {
        return false;
      }
    });
}
