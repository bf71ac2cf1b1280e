/** Every recorded generate stream and whole answer, of both dialects. */
import { describe, expect, test } from "vitest";
import { asList, asObject, readChatRecords } from "../support/chat-records.ts";
import { generateBreaches } from "../support/generate-grammar.ts";
import { testStreams } from "../support/operation-conformance.ts";
import { readGeneration } from "../support/operations.ts";
import { replayStream, streamCall, wholeCall } from "../support/replay.ts";
import { streamContent } from "../support/stream-content.ts";
import { isStream, isWhole, transcripts, type Transcript } from "../support/transcripts.ts";

/** Requests that one of the two dialects takes and we do not: `prompt_logprobs` with a stream, `stream_options` without. */
const REFUSED = ["python/gen-err-prompt-logprobs-stream", "python/gen-err-stream-options"];

const recorded = transcripts("/inference/v1/generate").filter(({ name }) => !REFUSED.includes(name));
const streams = recorded.filter((transcript) => isStream(transcript));
const whole = recorded
  .filter((transcript) => isWhole(transcript))
  .map(({ name, request, body }) => ({ name, request, body: new TextDecoder().decode(body) }));

test("the transcripts are there", () => {
  expect(streams.length).toBeGreaterThan(25);
  expect(whole.length).toBe(4);
});

testStreams({
  streams,
  read: (request) => readGeneration(request, ["tiny"]),
  breaches: generateBreaches,
  choices: ({ sampling_params: params }) => Number(asObject(params)["n"] ?? 1),
  needsNoChange: (json, { usage }) => {
    if (asList(json["choices"]).length === 0) return usage !== "none";
    return (json["usage"] ?? null) === null || usage === "continuous";
  },
});

const unasked = streams.filter(({ body }) => !/"usage":\{|"error"/.test(new TextDecoder().decode(body)));

test("streams without usage were recorded", () => {
  expect(unasked.length).toBeGreaterThan(8);
});

test.each(unasked)("$name, asked for usage that the origin does not send, has it exactly", (transcript: Transcript) => {
  const request = { ...JSON.parse(transcript.request), stream_options: { include_usage: true } };
  const { text } = replayStream(streamCall(readGeneration(JSON.stringify(request))), [transcript.body]);
  const chunks = readChatRecords(text).chunks.map(({ json }) => json);
  const prompt: number = request.token_ids.length;
  const completion = streamContent(chunks).choices.get(0)?.tokenIds.length ?? 0;
  expect(chunks.at(-1)?.["usage"]).toEqual({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  });
});

describe("a whole answer leaves as the text that came", () => {
  test.each(whole)("$name", ({ request, body }) => {
    expect(wholeCall(readGeneration(request)).whole(body).json).toBe(body);
  });
});

test("a whole answer has the client's name of the model, where the origin names one", () => {
  const models = whole.map(({ request, body }) => {
    const asked = JSON.stringify({ ...JSON.parse(request), model: "my/model" });
    const { json } = wholeCall(readGeneration(asked)).whole(body);
    expect({ ...JSON.parse(json), model: undefined }).toEqual({ ...JSON.parse(body), model: undefined });
    return JSON.parse(json).model;
  });
  expect(models).toEqual(["my/model", "my/model", undefined, undefined]);
});
