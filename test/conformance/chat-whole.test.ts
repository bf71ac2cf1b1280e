/** Every recorded whole chat answer: the same in the client's hands, but for what the rules add. */
import { describe, expect, test } from "vitest";
import { asList, asObject, type Json } from "../support/chat-records.ts";
import { readWhole } from "../support/chat-replay.ts";
import { isWhole, transcripts } from "../support/transcripts.ts";

const whole = transcripts("/v1/chat/completions")
  .filter((transcript) => isWhole(transcript))
  .map(({ name, request, body }) => ({ name, request, body: new TextDecoder().decode(body) }));

/** Writes the rules down once more, for answers as the recorded servers give them. */
function owed(answer: Json): Json {
  const choices = asList(answer["choices"]).map((choice) => {
    const message = asObject(choice["message"]);
    const { reasoning } = message;
    return { ...choice, message: reasoning ? { ...message, reasoning_content: reasoning } : message };
  });
  const usage = asObject(answer["usage"]);
  const details = usage["prompt_tokens_details"];
  const written = asObject(details)["created_cache_tokens"];
  if (written === undefined) return { ...answer, choices };
  return {
    ...answer,
    choices,
    usage: { ...usage, prompt_tokens_details: { ...asObject(details), cache_write_tokens: written } },
  };
}

test("the transcripts are there", () => {
  expect(whole.length).toBeGreaterThan(20);
});

describe("a whole answer", () => {
  test.each(whole)("$name", ({ request, body }) => {
    const { json, tokens } = readWhole(request).whole(body);
    const came = JSON.parse(body);
    expect(JSON.parse(json)).toEqual(owed(came));
    expect(tokens).toEqual({ prompt: came.usage.prompt_tokens, completion: came.usage.completion_tokens });
  });

  test.each(whole)("$name, called by another name", ({ request, body }) => {
    const { json } = readWhole(JSON.stringify({ ...JSON.parse(request), model: "my/model" })).whole(body);
    expect(JSON.parse(json)).toEqual({ ...owed(JSON.parse(body)), model: "my/model" });
  });

  test("that needs no change leaves as the text that came", () => {
    const same = whole.filter(({ request, body }) => readWhole(request).whole(body).json === body);
    expect(same.map(({ name }) => name).toSorted()).toEqual([
      "python-bare/raw-full",
      "python-bare/slow-full",
      "rust-bare/raw-full",
      "rust-bare/slow-full",
      "rust/chat-full",
      "rust/chat-full-empty",
      "rust/chat-full-length",
      "rust/chat-full-logprobs",
      "rust/chat-prompt-logprobs-nonstream",
      "rust/err-stream-options-null",
    ]);
  });
});
