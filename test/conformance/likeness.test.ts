/** Frames are read by likeness where they can be, and else parsed: a client cannot tell which, whatever the network cuts. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { GatewayError } from "../../src/core/errors.ts";
import { parseObject } from "../../src/core/json/object.ts";
import type { Call } from "../../src/protocols/protocol.ts";
import type { Frame } from "../../src/sse/frame.ts";
import { SseParser } from "../../src/sse/parse.ts";
import { ChunkParser } from "../../src/vllm/parse-chunk.ts";
import { readRequest } from "../support/chat-replay.ts";
import { byteByByte, randomCut, recordedSizes, whole } from "../support/cuts.ts";
import { readCompletions, readGeneration } from "../support/operations.ts";
import { replayStream, streamCall } from "../support/replay.ts";
import { isStream, transcripts, type Transcript } from "../support/transcripts.ts";

const OPERATIONS: readonly { path: string; read: (request: string) => Call; atLeast: number }[] = [
  { path: "/v1/chat/completions", read: readRequest, atLeast: 1_700 },
  { path: "/v1/completions", read: readCompletions, atLeast: 250 },
  { path: "/inference/v1/generate", read: readGeneration, atLeast: 50 },
];

/** Taken by one of the two dialects and not by us: empty `tools`; `prompt_logprobs` in a stream. */
const REFUSED = new Set(["rust/err-tools-empty", "python/gen-err-prompt-logprobs-stream"]);

afterEach(() => vi.restoreAllMocks());

describe.each(OPERATIONS)("$path", ({ path, read, atLeast }) => {
  const streams = transcripts(path).filter((transcript) => isStream(transcript) && !REFUSED.has(transcript.name));

  test.each(streams)("$name", (transcript) => {
    const cuts = [
      whole(transcript.body),
      byteByByte(transcript.body),
      recordedSizes(transcript.body, transcript.chunks),
      randomCut(transcript.body, 1),
    ];
    const texts = cuts.map(({ pieces }) => replayStream(streamCall(read(transcript.request)), pieces).text);
    vi.spyOn(ChunkParser.prototype, "parse").mockImplementation(({ data }) => parseObject(data));
    const slow = replayStream(streamCall(read(transcript.request)), whole(transcript.body).pieces).text;
    expect(texts).toEqual(cuts.map(() => slow));
  });

  test("many frames are read by likeness", () => {
    const likened = streams.reduce((sum, stream) => sum + countLikened(stream), 0);
    expect(likened).toBeGreaterThanOrEqual(atLeast);
  });
});

/** Counts the frames whose data nobody had to look at. */
function countLikened({ body }: Transcript): number {
  const parser = new ChunkParser();
  return new SseParser(1_048_576).push(body).filter((frame) => {
    if (frame instanceof GatewayError) return false;
    let asked = false;
    const watched: Frame = {
      bytes: frame.bytes,
      unterminated: frame.unterminated,
      get data() {
        asked = true;
        return frame.data;
      },
    };
    expect(parser.parse(watched)).toEqual(parseObject(frame.data));
    return !asked;
  }).length;
}
