/**
 * Every recorded chat stream, of both dialects, of servers without parsers and of servers whose engine dies, replayed
 * as the answer to a Messages request, as it came and cut in other ways; streamed and folded into a whole answer.
 */
import { describe, expect, test } from "vitest";
import { grammarFault } from "../../src/events/grammar.ts";
import { chatContent } from "../support/chat-content.ts";
import { asObject, readChatRecords, type Json } from "../support/chat-records.ts";
import { byteByByte, randomCut, recordedSizes, sevenBytes, whole, type Cut } from "../support/cuts.ts";
import { accumulate, saidIn } from "../support/messages-content.ts";
import { messageBreaches, stopBreaches } from "../support/messages-fields.ts";
import { messagesBreaches } from "../support/messages-grammar.ts";
import { readMessagesRecords } from "../support/messages-records.ts";
import { asMessages, foldMessages, replayMessages } from "../support/messages-replay.ts";
import { isStream, transcripts, type Transcript } from "../support/transcripts.ts";

const streams = transcripts("/v1/chat/completions").filter((transcript) => isStream(transcript));

/** Longer streams are cut into pieces of 7 bytes instead of single ones. */
const SHORT = 4_000;

function* cuts({ body, chunks }: Transcript): Generator<Cut> {
  yield body.length <= SHORT ? byteByByte(body) : sevenBytes(body);
  yield recordedSizes(body, chunks);
  for (let seed = 1; seed <= 4; seed += 1) yield randomCut(body, seed);
}

/** A part of nothing but white space is not sent, and where such a part stood cannot be told from outside. */
function dense(text: string): string {
  return text.replaceAll(/\s/g, "");
}

test("the transcripts are there", () => {
  expect(streams.length).toBeGreaterThan(140);
});

describe.each([
  { name: "as they come", thinking: undefined },
  { name: "without their thinking", thinking: { type: "adaptive", display: "omitted" } },
])("$name", ({ thinking }) => {
  test.each(streams)("$name", (transcript) => {
    const request: Json = { ...asMessages(asObject(JSON.parse(transcript.request))), ...(thinking && { thinking }) };
    const { pieces } = whole(transcript.body);
    const replay = replayMessages(request, pieces);
    const folded = foldMessages(request, pieces);
    for (const cut of cuts(transcript)) {
      const again = replayMessages(request, cut.pieces);
      if (again.text !== replay.text) expect(again.text, cut.name).toBe(replay.text);
    }

    expect(grammarFault(folded.events)).toBeUndefined();
    const { model } = request;
    expect(messagesBreaches(replay.text, { model: String(model), omitsThinking: thinking !== undefined })).toEqual([]);

    const records = readMessagesRecords(replay.text);
    const origin = readChatRecords(new TextDecoder().decode(transcript.body)).chunks.map(({ json }) => json);
    const came = chatContent(origin.filter((json) => !("error" in json))).choices.get(0);
    const said = saidIn(records);
    expect(dense(said.text)).toBe(dense(came?.text ?? ""));
    expect(dense(said.reasoning)).toBe(thinking ? "" : dense(came?.reasoning ?? ""));
    const single = request["tool_choice"] !== undefined;
    const calls = (came?.calls ?? []).map(({ id, name, args }) => ({ id: `toolu_${String(id)}`, name, args }));
    expect(said.calls).toEqual(single ? calls.slice(0, 1) : calls);

    if (replay.failure) {
      expect(folded.answer).toBe(replay.failure.code);
      return;
    }
    const answer = asObject(folded.answer);
    const { content, stop, usage } = accumulate(records);
    expect(answer["content"]).toEqual(content);
    const { stop_reason, stop_sequence, stop_details, container } = answer;
    expect({ stop_reason, stop_sequence, stop_details, container }).toEqual(stop);
    expect(answer["usage"]).toMatchObject(usage);
    expect(messageBreaches(answer)).toEqual([]);
    expect(stopBreaches(stop, said.calls.length)).toEqual([]);
  });
});
