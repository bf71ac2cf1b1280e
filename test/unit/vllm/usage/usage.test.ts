/** Usage: asked of the origin, mended where it is nonsense, and found elsewhere where it is not told. */
import { describe, expect, test } from "vitest";
import { editObject } from "../../../../src/core/json/edit.ts";
import { askForUsage, readUsageAsk } from "../../../../src/vllm/usage/ask.ts";
import { UsageLedger } from "../../../../src/vllm/usage/ledger.ts";
import { mendUsage } from "../../../../src/vllm/usage/mend.ts";

function asked(body: string): string {
  return editObject(body, askForUsage(body, readUsageAsk(JSON.parse(body))));
}

describe("asking", () => {
  test.each([
    ['{"stream":true}', '{"stream":true,"stream_options":{"include_usage":true}}'],
    ['{"stream_options":null,"n":1}', '{"stream_options":{"include_usage":true},"n":1}'],
    ['{"stream_options":{}}', '{"stream_options":{"include_usage":true}}'],
    ['{"stream_options":{"include_usage":false}}', '{"stream_options":{"include_usage":true}}'],
    ['{"stream_options":{"include_usage":null}}', '{"stream_options":{"include_usage":true}}'],
    [
      '{"stream_options": { "x" : 1.0, "include_usage":false , "y":9223372036854775807}}',
      '{"stream_options": { "x" : 1.0, "include_usage":true , "y":9223372036854775807}}',
    ],
    ['{"stream_options":{"continuous_usage_stats":true}}', '{"stream_options":{"include_usage":true}}'],
    [
      '{"stream_options":{"include_usage":false,"continuous_usage_stats":true,"z":[1.50]}}',
      '{"stream_options":{"include_usage":true,"z":[1.50]}}',
    ],
    [
      '{"stream_options":{"include_usage":true},"stream_options":{"z":1}}',
      '{"stream_options":{"include_usage":true},"stream_options":{"z":1,"include_usage":true}}',
    ],
  ])("%s becomes %s", (body, sent) => {
    expect(asked(body)).toBe(sent);
  });

  test.each([
    '{"stream_options":{"include_usage":true}}',
    '{ "stream_options" : {"continuous_usage_stats":true, "include_usage" : true, "z": 1.0} }',
  ])("%s stays as it is", (body) => {
    expect(asked(body)).toBe(body);
  });

  test.each([
    [{}, false, false],
    [{ stream_options: null }, false, false],
    [{ stream_options: { include_usage: true } }, true, false],
    [{ stream_options: { include_usage: true, continuous_usage_stats: true } }, true, true],
    [{ stream_options: { continuous_usage_stats: true } }, false, false],
    [{ stream_options: { include_usage: false, continuous_usage_stats: true } }, false, false],
  ])("%j asks for usage at the end: %s, on every chunk: %s", (request, final, continuous) => {
    expect(readUsageAsk(request)).toEqual({ final, continuous });
  });
});

const usage = (prompt: unknown, completion: unknown, total: unknown, more: object = {}) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: total,
  ...more,
});

describe("mending", () => {
  test.each([
    usage(3, 2, 5),
    usage(0, 0, 0),
    usage(3, 2, 5, { prompt_tokens_details: null, completion_tokens_details: { reasoning_tokens: 2 }, x: 1 }),
    usage(3, 2, 5, { prompt_tokens_details: { cached_tokens: 3, x: 1 } }),
    usage(3, 2, 5, { prompt_tokens_details: { created_cache_tokens: 1, cache_write_tokens: 1 } }),
  ])("%j is right and returned itself", (right) => {
    expect(mendUsage(right)).toBe(right);
  });

  const rows: [object, object | undefined][] = [
    [usage(3, 2, 6), usage(3, 2, 5)],
    [usage(3, 2, null), usage(3, 2, 5)],
    [{ prompt_tokens: 3, completion_tokens: 2 }, usage(3, 2, 5)],
    [usage(-3, 2, 5), usage(3, 2, 5)],
    [usage(null, 2, 5), usage(3, 2, 5)],
    [usage(3, "2", 5), usage(3, 2, 5)],
    [usage(3, 2.5, 5), usage(3, 2, 5)],
    [usage(7, null, 5), undefined],
    [usage(-1, -1, 5), undefined],
    [usage(3, null, null), undefined],
    [{}, undefined],
    [usage(3, 2, 9, { x: { y: 1 } }), usage(3, 2, 5, { x: { y: 1 } })],
  ];
  test.each(rows)("%j is mended to %j", (came, sent) => {
    expect(mendUsage({ ...came })).toEqual(sent);
  });

  const details: [string, object, object][] = [
    ["cached tokens are part of the prompt", { cached_tokens: 9 }, { cached_tokens: 3 }],
    ["what cannot be is left out", { cached_tokens: -1, x: 1 }, { x: 1 }],
    ["null is left out", { cached_tokens: null, x: 1 }, { x: 1 }],
    [
      "what was written gets OpenAI's name too",
      { cached_tokens: 1, created_cache_tokens: 2 },
      { cached_tokens: 1, created_cache_tokens: 2, cache_write_tokens: 2 },
    ],
    [
      "what was written is among the rest of the prompt",
      { cached_tokens: 2, created_cache_tokens: 2 },
      { cached_tokens: 2, created_cache_tokens: 1, cache_write_tokens: 1 },
    ],
  ];
  test.each(details)("%s", (_, came, sent) => {
    const mended = mendUsage(usage(3, 2, 5, { prompt_tokens_details: came }));
    expect(mended).toEqual(usage(3, 2, 5, { prompt_tokens_details: sent }));
  });

  test("reasoning is part of the completion", () => {
    const mended = mendUsage(usage(3, 2, 5, { completion_tokens_details: { reasoning_tokens: 8, x: 1 } }));
    expect(mended).toEqual(usage(3, 2, 5, { completion_tokens_details: { reasoning_tokens: 2, x: 1 } }));
  });
});

describe("the ledger", () => {
  const lengths = { prompt: 9, completion: 10, mostTokens: Number.POSITIVE_INFINITY };

  test("knows nothing at first, and estimates from lengths", () => {
    const ledger = new UsageLedger();
    expect(ledger.tokens).toBeUndefined();
    expect(ledger.completionOf(0, true)).toBeUndefined();
    expect(ledger.settle(lengths)).toEqual(usage(3, 3, 6, { estimated: true }));
  });

  test("counts ids, and is sure where those of the prompt are known too", () => {
    const ledger = new UsageLedger();
    for (const ids of [[1, 2], null, "x", []]) ledger.countIds(0, ids);
    ledger.countIds(1, [3]);
    expect(ledger.completionOf(0, false)).toBe(2);
    expect(ledger.settle(lengths)).toEqual(usage(3, 3, 6, { estimated: true }));
    ledger.countPrompt([1, 2, 3, 4]);
    ledger.countPrompt(null);
    expect(ledger.settle(lengths)).toEqual(usage(4, 3, 7));
    expect(ledger.tokens).toBeUndefined();
  });

  test("believes what rode on the chunks more than its own count", () => {
    const ledger = new UsageLedger();
    ledger.countIds(0, [1, 2, 3]);
    ledger.run(0, usage(4, 1, 5));
    ledger.run(0, usage(4, 2, 6, { x: 1 }));
    expect(ledger.run(0, usage(-1, -1, -1))).toBeUndefined();
    expect(ledger.run(0, null)).toBeUndefined();
    expect(ledger.settle(lengths)).toEqual(usage(4, 2, 6, { x: 1 }));
    ledger.run(1, usage(4, 5, 9));
    expect(ledger.settle(lengths)).toEqual(usage(4, 7, 11));
    expect(ledger.tokens).toEqual({ prompt: 4, completion: 7 });
    expect([ledger.completionOf(0, false), ledger.completionOf(1, false)]).toEqual([2, 5]);
  });

  test("believes the origin's own sum most", () => {
    const ledger = new UsageLedger();
    ledger.run(0, usage(4, 1, 5));
    expect(ledger.close(usage(4, 3, 8))).toEqual(usage(4, 3, 7));
    expect(ledger.close("nonsense")).toBeUndefined();
    expect(ledger.settle(lengths)).toEqual(usage(4, 3, 7));
    expect(ledger.completionOf(0, true)).toBe(3);
    expect(ledger.completionOf(0, false)).toBe(1);
  });
});

test("counts that no number can hold are none", () => {
  expect(mendUsage(usage(1e308, 1e308, 2))).toBeUndefined();
  expect(mendUsage(usage(2 ** 53, 1, 2 ** 53 + 1))).toBeUndefined();
  expect(mendUsage(usage(2 ** 53 - 1, 1, 1))).toBeUndefined();
  expect(mendUsage(usage(3, 2, 1e308))).toEqual(usage(3, 2, 5));
});
