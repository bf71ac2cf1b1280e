/** How many choices a completions request expects, where its limit is, and its whole answers. */
import { describe, expect, test } from "vitest";
import { oneLine, readCompletions, refusalOf } from "../../../support/operations.ts";
import { replayStream, streamCall, wholeCall } from "../../../support/replay.ts";

const ENVELOPE = { id: "c", object: "text_completion", created: 5, model: "m" };
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const choice = (more: object = {}) => ({ index: 0, text: "abcdefgh", finish_reason: "stop", ...more });

const read = (answer: unknown, request: object = {}) => {
  const call = wholeCall(readCompletions(JSON.stringify({ model: "m", prompt: "abcd", ...request })));
  return call.whole(typeof answer === "string" ? answer : JSON.stringify(answer));
};

const open = () => streamCall(readCompletions('{"prompt":"x","stream":true}'));

/** Returns the index and the finish of every finish that is injected, after one choice with `ids` token ids. */
function finishes(request: object, ids = 1): unknown[] {
  const chunk = { ...ENVELOPE, choices: [{ index: 0, text: "a", token_ids: Array.from({ length: ids }, () => 7) }] };
  const body = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
  const call = streamCall(readCompletions(JSON.stringify({ model: "m", stream: true, ...request })));
  const { text } = replayStream(call, [new TextEncoder().encode(body)]);
  return [...text.matchAll(/"index":(\d+)[^}]*"finish_reason":"(\w+)"/g)].map(
    ([, index, reason]) => `${index} ${reason}`,
  );
}

describe("the expected choices", () => {
  test.each([
    [{ prompt: "one" }, 1],
    [{ prompt: ["one"] }, 1],
    [{ prompt: ["one", "two", ""] }, 3],
    [{ prompt: [1, 2, 3] }, 1],
    [{ prompt: [[1], [2, 3]] }, 2],
    [{ prompt: "one", n: 3 }, 3],
    [{ prompt: ["one", "two"], n: 2 }, 4],
    [{ prompt_embeds: "AAAA" }, 1],
    [{ prompt: "", prompt_embeds: ["AAAA", "BBBB"] }, 2],
    [{ prompt: ["one", "two"], prompt_embeds: "AAAA" }, 3],
  ])("of %j are %d", (request, choices) => {
    expect(finishes(request)).toHaveLength(choices);
  });
});

describe("the limit of an injected finish", () => {
  test.each([
    [{}, 15, "stop"],
    [{}, 16, "length"],
    [{ max_tokens: null }, 16, "length"],
    [{ max_tokens: 17 }, 16, "stop"],
    [{ max_tokens: 2 }, 2, "length"],
    [{ max_tokens: 0, echo: true }, 0, "length"],
  ])("with %j and %d tokens: %s", (fields, ids, reason) => {
    expect(finishes({ prompt: "one", ...fields }, ids)).toEqual([`0 ${reason}`]);
  });
});

describe("a whole completion", () => {
  const mended = (choices: unknown, more: object = {}, request: object = {}): unknown =>
    JSON.parse(read({ ...ENVELOPE, choices, usage: USAGE, ...more }, request).json);

  test("that is right leaves as the text that came", () => {
    const body = ` ${JSON.stringify({ ...ENVELOPE, choices: [choice({ x: 1.5 })], usage: USAGE, y: 1 })}`;
    expect(read(body)).toEqual({ json: body, tokens: { prompt: 3, completion: 2 }, finishReasons: ["stop"] });
  });

  test.each([
    ["no finish", choice({ finish_reason: null }), choice()],
    ["an empty finish", choice({ finish_reason: "" }), choice()],
    ["a text of null", choice({ text: null }), choice({ text: "" })],
    ["no index", { text: "abcdefgh", finish_reason: "stop" }, choice()],
  ])("is mended: %s", (_, came, sent) => {
    expect(mended([came])).toEqual({ ...ENVELOPE, choices: [sent], usage: USAGE });
  });

  test("without a finish has length where its tokens reached the limit", () => {
    expect(mended([choice({ finish_reason: null })], {}, { max_tokens: 2 })).toMatchObject({
      choices: [{ finish_reason: "length" }],
    });
  });

  test("gets the client's name of the model, and usage that is estimated where none came", () => {
    const { json, tokens } = read({ ...ENVELOPE, model: "theirs", choices: [choice()] });
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, estimated: true };
    expect(JSON.parse(json)).toEqual({ ...ENVELOPE, choices: [choice()], usage });
    expect(tokens).toBeUndefined();
  });

  const overflow = "This model's maximum context length is 20 tokens, but the prompt contains 30 input tokens";
  test.each([
    ["not JSON", "origin_protocol 502 - The origin's answer is not a JSON object."],
    [{ ...ENVELOPE, choices: [] }, "origin_protocol 502 - The origin's stream held no answer."],
    [
      { ...ENVELOPE, choices: [choice({ finish_reason: "abort" })] },
      "origin_error 502 - The origin gave the answer up before it was complete.",
    ],
    [
      { error: { message: overflow, code: "invalid_request_error" } },
      "context_length_exceeded 400 prompt This model's maximum context length is 20 tokens. However, your prompt resulted in 30 tokens. Please reduce the length of the prompt.",
    ],
  ])("fails: %j", (answer, failure) => {
    expect(refusalOf(() => read(answer))).toBe(failure);
  });
});

test("a stream that is only [DONE] is an error, and an error event ends in one", () => {
  const only = replayStream(open(), [new TextEncoder().encode("data: [DONE]\n\n")]);
  expect(only.failure && oneLine(only.failure)).toBe("origin_protocol 502 - The origin's stream held no answer.");
  const event = 'data: {"error":{"message":"No.","param":null,"code":400}}\n\ndata: [DONE]\n\n';
  expect(replayStream(open(), [new TextEncoder().encode(event)]).text).toBe(
    'data: {"error":{"message":"No.","type":"invalid_request_error","param":null,"code":"invalid_request"}}\n\ndata: [DONE]\n\n',
  );
});
