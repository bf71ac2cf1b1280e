/** Every recorded completions stream and whole completion, of both dialects. */
import { describe, expect, test } from "vitest";
import { asList, type Json } from "../support/chat-records.ts";
import { completionsBreaches } from "../support/completions-grammar.ts";
import { testStreams } from "../support/operation-conformance.ts";
import { readCompletions } from "../support/operations.ts";
import { wholeCall } from "../support/replay.ts";
import { isStream, isWhole, transcripts } from "../support/transcripts.ts";

const recorded = transcripts("/v1/completions");
const streams = recorded.filter((transcript) => isStream(transcript));
const whole = recorded
  .filter((transcript) => isWhole(transcript))
  .map(({ name, request, body }) => ({ name, request, body: new TextDecoder().decode(body) }));

test("the transcripts are there", () => {
  expect(streams.length).toBeGreaterThan(35);
  expect(whole.length).toBeGreaterThan(4);
});

testStreams({
  streams,
  read: readCompletions,
  breaches: completionsBreaches,
  choices: ({ prompt, n }) => {
    const prompts = Array.isArray(prompt) && typeof prompt[0] !== "number" ? prompt.length : 1;
    return prompts * (typeof n === "number" ? n : 1);
  },
  needsNoChange: (json, { usage }, stripped) => {
    const [choice] = asList(json["choices"]);
    if (!choice || ("usage" in json && usage !== "continuous")) return false;
    return !choice["finish_reason"] || (choice["text"] === "" && !stripped);
  },
});

describe("a whole completion leaves as the text that came", () => {
  test.each(whole)("$name", ({ request, body }) => {
    const { usage, choices } = JSON.parse(body);
    expect(wholeCall(readCompletions(request)).whole(body)).toEqual({
      json: body,
      tokens: { prompt: usage.prompt_tokens, completion: usage.completion_tokens },
      finishReasons: asList(choices).map((choice) => choice["finish_reason"]),
    });
  });
});

test.each(whole)("$name, called by another name, has that name", ({ request, body }) => {
  const asked: Json = { ...JSON.parse(request), model: "my/model" };
  const { json } = wholeCall(readCompletions(JSON.stringify(asked))).whole(body);
  expect(JSON.parse(json)).toEqual({ ...JSON.parse(body), model: "my/model" });
});
