/** Usage of a completions stream, of one prompt and of several. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/core/json/object.ts";
import { asObject, readChatRecords } from "../../../support/chat-records.ts";
import { readCompletions } from "../../../support/operations.ts";
import { replayStream, streamCall } from "../../../support/replay.ts";

const counts = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});
const say = (index: number, choice: object = {}, usage?: object) => ({
  choices: [{ index, text: "abcd", ...choice }],
  ...(usage && { usage }),
});
const finish = (index: number) => ({ choices: [{ index, text: "", finish_reason: "stop" }] });

/** Returns the usage of each chunk that the client reads, `-` for none. */
function usages(request: object, chunks: readonly JsonObject[]): unknown[] {
  const body = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
  const call = streamCall(readCompletions(JSON.stringify({ stream: true, ...request })));
  const { text } = replayStream(call, [new TextEncoder().encode(body)]);
  return readChatRecords(text).chunks.map(({ json }) => ("usage" in json ? asObject(json["usage"]) : "-"));
}

const FINAL = { prompt: "x", stream_options: { include_usage: true } };
const ALONG = { prompt: "x", stream_options: { include_usage: true, continuous_usage_stats: true } };

describe("usage", () => {
  const came = [say(0, {}, counts(3, 1)), say(0, {}, counts(3, 2)), finish(0), { choices: [], usage: counts(3, 2) }];

  test.each([
    ["at the end", FINAL, ["-", "-", "-", counts(3, 2)]],
    ["on every chunk too", ALONG, [counts(3, 1), counts(3, 2), "-", counts(3, 2)]],
    ["nowhere", { prompt: "x" }, ["-", "-", "-"]],
    [
      "nowhere, since continuous counts only with the other",
      { prompt: "x", stream_options: { continuous_usage_stats: true } },
      ["-", "-", "-"],
    ],
  ])("is %s", (_, request, shown) => {
    expect(usages(request, came)).toEqual(shown);
  });

  test("that no origin sends is the sum of what rode on the chunks, each prompt counted once", () => {
    const chunks = [
      say(0, {}, counts(3, 1)),
      say(1, {}, counts(3, 4)),
      say(2, {}, counts(10, 2)),
      say(3, {}, counts(10, 1)),
      say(0, {}, counts(3, 2)),
      ...[0, 1, 2, 3].map(finish),
    ];
    expect(usages({ ...FINAL, prompt: ["x", "y"], n: 2 }, chunks).at(-1)).toEqual(counts(13, 9));
  });

  test("of several prompts without n counts each choice's prompt", () => {
    const chunks = [say(0, {}, counts(3, 1)), say(1, {}, counts(4, 1)), finish(0), finish(1)];
    expect(
      usages(
        {
          ...FINAL,
          prompt: [
            [1, 2, 3],
            [4, 5, 6, 7],
          ],
        },
        chunks,
      ).at(-1),
    ).toEqual(counts(7, 2));
  });

  test("that nothing tells is an estimate that says so, of all prompts", () => {
    const chunks = [say(0), say(1), finish(0), finish(1)];
    expect(usages({ ...FINAL, prompt: ["abcdefgh", "abcd"] }, chunks).at(-1)).toEqual({
      ...counts(3, 2),
      estimated: true,
    });
    expect(usages({ ...FINAL, prompt: [1, 2, 3] }, [say(0), finish(0)]).at(-1)).toEqual({
      ...counts(3, 1),
      estimated: true,
    });
  });
});
