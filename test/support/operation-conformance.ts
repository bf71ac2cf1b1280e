/** Replays the recorded streams of an operation, as they came and cut in other ways, for two kinds of clients. */
import { describe, expect, test } from "vitest";
import type { Call } from "../../src/protocols/protocol.ts";
import { asObject, readChatRecords, type Json } from "./chat-records.ts";
import { byteByByte, randomCut, recordedSizes, whole, type Cut } from "./cuts.ts";
import { replayStream, streamCall } from "./replay.ts";
import { streamContent } from "./stream-content.ts";
import type { Expected } from "./stream-grammar.ts";
import type { Transcript } from "./transcripts.ts";

export interface OperationConformance {
  readonly streams: readonly Transcript[];
  readonly read: (request: string) => Call;
  readonly breaches: (stream: string, expected: Expected) => readonly string[];
  /** How many choices the request makes. */
  readonly choices: (request: Json) => number;
  /** Whether a chunk of the origin is what the client should have; `stripped`: a usage chunk follows that the client is not shown. */
  readonly needsNoChange: (json: Json, expected: Expected, stripped: boolean) => boolean;
}

const CLIENTS: readonly { readonly name: string; readonly request: (recorded: Json) => Json }[] = [
  { name: "as recorded", request: (body) => body },
  {
    name: "who wants the opposite of usage",
    request: (body) => ({ ...body, stream_options: asksForUsage(body) ? undefined : { include_usage: true } }),
  },
];

export function testStreams({ streams, read, breaches, choices, needsNoChange }: OperationConformance): void {
  describe.each(CLIENTS)("a client $name", ({ request }) => {
    test.each(streams)("$name", (transcript) => {
      const body = request(JSON.parse(transcript.request));
      const call = (): ReturnType<typeof streamCall> => streamCall(read(JSON.stringify(body)));
      const { text } = replayStream(call(), whole(transcript.body).pieces);
      for (const { name, pieces } of cuts(transcript)) {
        expect(replayStream(call(), pieces).text === text, name).toBe(true);
      }

      const expected = expectedOf(body, choices(body));
      expect(breaches(text, expected)).toEqual([]);

      const came = readChatRecords(new TextDecoder().decode(transcript.body)).chunks;
      const sent = readChatRecords(text).chunks;
      expect(streamContent(sent.map(({ json }) => json))).toEqual(streamContent(came.map(({ json }) => json)));

      const stripped = expected.usage === "none" && asksForUsage(JSON.parse(transcript.request));
      const untouched = came.filter(({ json }) => !("error" in json) && needsNoChange(json, expected, stripped));
      const texts = new Set(sent.map((chunk) => chunk.text));
      expect(untouched.map((chunk) => chunk.text).filter((chunk) => !texts.has(chunk))).toEqual([]);
    });
  });
}

function* cuts({ body, chunks }: Transcript): Generator<Cut> {
  yield byteByByte(body);
  yield recordedSizes(body, chunks);
  for (let seed = 1; seed <= 4; seed += 1) yield randomCut(body, seed);
}

function asksForUsage(request: Json): boolean {
  return asObject(request["stream_options"])["include_usage"] === true;
}

function expectedOf(request: Json, choices: number): Expected {
  const options = asObject(request["stream_options"]);
  const continuous = options["continuous_usage_stats"] === true ? "continuous" : "final";
  return {
    choices,
    usage: asksForUsage(request) ? continuous : "none",
    ...(typeof request["model"] === "string" && { model: request["model"] }),
  };
}
