/**
 * Every recorded chat stream, of both dialects, of servers without parsers and of servers whose engine dies, replayed
 * as it came and cut in other ways, for clients that ask for more or less than the recorded one did.
 */
import { describe, expect, test } from "vitest";
import type { Expected } from "../support/chat-grammar.ts";
import { asksForUsage, expectedOf, expectOwed } from "../support/chat-owed.ts";
import { asList, asObject, readChatRecords, type Json } from "../support/chat-records.ts";
import { replayChat } from "../support/chat-replay.ts";
import { byteByByte, randomCut, recordedSizes, sevenBytes, whole, type Cut } from "../support/cuts.ts";
import { isStream, transcripts, type Transcript } from "../support/transcripts.ts";

/** A request that one of the two dialects takes and we do not: `tools` is empty. */
const REFUSED = "rust/err-tools-empty";

const streams = transcripts("/v1/chat/completions").filter(
  (transcript) => isStream(transcript) && transcript.name !== REFUSED,
);

/** Longer streams are cut into pieces of 7 bytes instead of single ones. */
const SHORT = 4_000;

function* cuts({ body, chunks }: Transcript): Generator<Cut> {
  yield body.length <= SHORT ? byteByByte(body) : sevenBytes(body);
  yield recordedSizes(body, chunks);
  for (let seed = 1; seed <= 4; seed += 1) yield randomCut(body, seed);
}

interface Client {
  readonly name: string;
  readonly request: (recorded: Json) => Json;
}

const CLIENTS: readonly Client[] = [
  { name: "as recorded", request: (body) => body },
  {
    name: "who wants the opposite of usage",
    request: (body) => ({
      ...body,
      stream_options: asksForUsage(body) ? undefined : { include_usage: true },
    }),
  },
  {
    name: "who calls the model by another name and wants usage all along",
    request: (body) => ({
      ...body,
      model: "my/model",
      stream_options: { include_usage: true, continuous_usage_stats: true },
    }),
  },
];

/** Whether a chunk of the origin is what the client should have, as far as the chunk alone can tell. */
function needsNoChange(json: Json, expected: Expected): boolean {
  const [choice] = asList(json["choices"]);
  if (!choice || (expected.model !== undefined && json["model"] !== expected.model)) return false;
  if ("usage" in json && expected.usage !== "continuous") return false;
  const { delta, finish_reason: reason } = choice;
  const { reasoning, tool_calls: calls } = asObject(delta);
  if (reason || reasoning) return false;
  const tails = asList(calls).every(
    (call) => !("id" in call) && typeof asObject(call["function"])["arguments"] === "string",
  );
  return asList(calls).length <= 1 && tails;
}

test("the transcripts are there", () => {
  expect(streams.length).toBeGreaterThan(140);
});

describe.each(CLIENTS)("a client $name", ({ request }) => {
  test.each(streams)("$name", (transcript) => {
    const body = request(JSON.parse(transcript.request));
    const text = JSON.stringify(body);
    const expected = expectedOf(body);
    const origin = readChatRecords(new TextDecoder().decode(transcript.body)).chunks.filter(
      ({ json }) => !("error" in json),
    );

    const replay = replayChat(text, whole(transcript.body).pieces);
    for (const { name, pieces } of cuts(transcript)) {
      const again = replayChat(text, pieces);
      if (again.text !== replay.text) expect(again.text, name).toBe(replay.text);
    }

    expectOwed(body, new TextDecoder().decode(transcript.body), replay.text);

    const { chunks } = readChatRecords(replay.text);
    const untouched = origin.filter(({ json }) => needsNoChange(json, expected)).map((chunk) => chunk.text);
    const sent = new Set(chunks.map((chunk) => chunk.text));
    expect(untouched.filter((chunk) => !sent.has(chunk))).toEqual([]);
  });
});
