/** Every recorded chat stream that ended in an error: what the client is told, and that it is told nothing else. */
import { expect, test } from "vitest";
import { readChatRecords } from "../support/chat-records.ts";
import { replayChat } from "../support/chat-replay.ts";
import { isStream, transcripts } from "../support/transcripts.ts";

const ENGINE = "origin_error 500 - The origin failed while it worked on this request.";

const FAILURES: Readonly<Record<string, string>> = {
  "python/chat-echo-continue": "invalid_request 400 - The request is not valid.",
  "python/chat-tool-two-not-parallel": ENGINE,
  "python/err-json-schema-bad": "invalid_request 400 - Grammar error: Invalid type: nonsense",
  "python/err-logit-bias-range":
    "invalid_request 400 logit_bias token_id(s) [999999] in logit_bias contain out-of-vocab token ids. Vocabulary size: 6022",
  "python/err-logprobs-negative":
    "invalid_request 400 logprobs Requested sample logprobs of 6022, which is greater than max allowed: 20",
  "python/err-logprobs-over":
    "invalid_request 400 logprobs Requested sample logprobs of 100, which is greater than max allowed: 20",
  "python-die/die-chat-first": ENGINE,
  "python-die/die-chat": ENGINE,
  "python-die/die-tool": ENGINE,
  "rust/chat-tool-named": ENGINE,
  "rust/chat-tool-required-two": ENGINE,
  "rust/chat-tool-required": ENGINE,
  "rust/err-json-schema-bad": ENGINE,
  "rust/err-structural": ENGINE,
  "rust-die/die-chat-first": ENGINE,
  "rust-die/die-chat": ENGINE,
  "rust-die/die-tool": ENGINE,
};

const recorded = transcripts("/v1/chat/completions").filter((transcript) => isStream(transcript));
const failed = recorded.filter(({ body }) => new TextDecoder().decode(body).includes('data: {"error"'));

test("the table names every recorded stream with an error in it, and no other", () => {
  expect(failed.map(({ name }) => name).toSorted()).toEqual(Object.keys(FAILURES).toSorted());
});

test.each(failed)("$name", ({ name, request, body }) => {
  const { text, failure } = replayChat(request, [body]);
  const { code, status, param, message } = failure ?? {};
  expect(`${code} ${status} ${param ?? "-"} ${message}`).toBe(FAILURES[name]);

  const { chunks } = readChatRecords(text);
  const type = status === 400 ? "invalid_request_error" : "server_error";
  expect(chunks.at(-1)?.json).toEqual({ error: { message, type, param: param ?? null, code } });
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  expect(text).not.toContain('"usage"');
});

test("a stream that fails has as many chunks of an answer as the origin sent", () => {
  const counts = failed.map(({ request, body }) => {
    const { text } = replayChat(request, [body]);
    return readChatRecords(text).chunks.length - readChatRecords(new TextDecoder().decode(body)).chunks.length;
  });
  expect(counts.every((difference) => difference === 0)).toBe(true);
});
