import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Frame } from "../../../src/sse/frame.ts";
import { ChunkParser } from "../../../src/vllm/parse-chunk.ts";

/** A frame that tells whether its data were decoded: what is read by likeness leaves them alone. */
class Watched implements Frame {
  readonly unterminated = false;
  readonly bytes: Uint8Array;
  decoded = false;
  readonly #data: string;

  constructor(data: string) {
    this.#data = data;
    this.bytes = new TextEncoder().encode(`data: ${data}\n\n`);
  }

  get data(): string {
    this.decoded = true;
    return this.#data;
  }
}

/** Returns what the parser makes of each, and which were read by likeness. */
function parseAll(data: readonly string[]): { parsed: unknown[]; likened: boolean[] } {
  const parser = new ChunkParser();
  const frames = data.map((text) => new Watched(text));
  const parsed = frames.map((frame) => parser.parse(frame));
  return { parsed, likened: frames.map(({ decoded }) => !decoded) };
}

function slow(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

const content = (raw: string, index = 0) =>
  `{"id":"c","choices":[{"index":${index},"delta":{"content":"${raw}"},"logprobs":null,"finish_reason":null}]}`;
const ids = (list: string) => `{"request_id":"r","choices":[{"index":0,"token_ids":[${list}],"logprobs":null}]}`;

describe("frames that differ in one text are read by likeness", () => {
  test.for([
    ["text", content("Rain"), content(" later")],
    ["text with escapes", content("Rain"), content('\\n\\"\\u00e9\\\\')],
    ["text of several bytes", content("Rain"), content("天é🙂")],
    ["no text at all", content("Rain"), content("")],
    ["reasoning", content("a").replace("content", "reasoning"), content("b").replace("content", "reasoning")],
    ["a completion", '{"choices":[{"index":0,"text":"a"}]}', '{"choices":[{"index":0,"text":"b"}]}'],
    [
      "arguments",
      '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"a\\""}}]}}]}',
      '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":": 1}"}}]}}]}',
    ],
    ["token ids", ids("7"), ids("123,0,45")],
  ] as const)("%s", ([, first, second]) => {
    const { parsed, likened } = parseAll([first, second]);
    expect(parsed).toEqual([JSON.parse(first), JSON.parse(second)]);
    expect(likened).toEqual([false, true]);
  });

  test("choices that take turns each have their own", () => {
    const frames = [content("a", 0), content("b", 1), content("c", 0), content("d", 1), content("e", 1)];
    const { parsed, likened } = parseAll(frames);
    expect(parsed).toEqual(frames.map((frame) => JSON.parse(frame)));
    expect(likened).toEqual([false, false, true, true, true]);
  });
});

describe("frames that are not alike are parsed", () => {
  test.for([
    ["another finish", content("a"), content("a").replace('"finish_reason":null', '"finish_reason":"stop"')],
    ["a quote that ends the text early", content("a"), content('a","x":"')],
    ["a text that ends in an escape", content("a"), content("a\\")],
    ["an escape that JSON has not", content("a"), content("\\x")],
    ["a half escape", content("a"), content("\\u00")],
    ["a control character", content("a"), content("a\tb")],
    ["a text longer than a token's", content("a"), content("a".repeat(33))],
    ["leading zeros", ids("7"), ids("07")],
    ["no ids", ids("7"), ids("")],
    ["two commas", ids("7"), ids("1,,2")],
    ["a comma at the end", ids("7"), ids("1,")],
    ["a fraction", ids("7"), ids("1.5")],
    ["a number beyond exactness", ids("7"), ids("12345678901234567890")],
    ["a shorter frame", content("a"), '{"id":"c"}'],
    ["no JSON", content("a"), "[DONE]"],
  ] as const)("%s", ([, first, second]) => {
    const { parsed, likened } = parseAll([first, second]);
    expect(parsed).toEqual([JSON.parse(first), slow(second)]);
    expect(likened).toEqual([false, false]);
  });
});

test.for([
  ["two choices in one frame", '{"choices":[{"text":"a"},{"text":"b"}]}'],
  ["two texts", '{"choices":[{"delta":{"content":"a","reasoning":"b"}}]}'],
  ["its key twice", '{"choices":[{"delta":{"content":"a"},"x":{"content":"a"}}]}'],
  ["its key inside an escaped one", '{"choices":[{"delta":{"x\\"content":"a","content":"a"}}]}'],
  ["its key in escapes", '{"x":{"content":"a"},"choices":[{"delta":{"cont\\u0065nt":"a"}}]}'],
  ["two calls", '{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"a"}},{"index":1}]}}]}'],
  ["white space after its key", '{"choices":[{"delta":{"content": "a"}}]}'],
] as const)("nothing is learnt from a frame with %s", ([, data]) => {
  const { parsed, likened } = parseAll([data, data, data]);
  expect(parsed).toEqual([JSON.parse(data), JSON.parse(data), JSON.parse(data)]);
  expect(likened).toEqual([false, false, false]);
});

function frameOf(a: Uint8Array, b: Uint8Array): Frame {
  const parts = ['data: {"choices":[{"delta":{"a":"', a, '","content":"', b, '"}}]}\n\n'];
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const data = new TextDecoder().decode(bytes.subarray(6, -2));
  return { bytes: new Uint8Array(bytes), data, unterminated: false };
}

test("bytes that are no UTF-8 are never laid beside a text", () => {
  const parser = new ChunkParser();
  const broken = new Uint8Array(13).fill(0xff);
  const frames = [frameOf(broken, broken), frameOf(Buffer.from("hello"), broken)];
  expect(frames.map((one) => parser.parse(one))).toEqual(frames.map(({ data }) => JSON.parse(data)));
});

test("what stays unlike for long is not learnt from any more", () => {
  const changing = Array.from({ length: 100 }, (_, at) => content("a", at + 1));
  const { likened } = parseAll([...changing, content("b", 1_000), content("c", 1_000)]);
  expect(likened.includes(true)).toBe(false);
});

test("whatever comes, it is what JSON.parse gives", () => {
  const raw = fc.oneof(
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text).slice(1, -1)),
    fc.string({ unit: fc.constantFrom("a", '"', "\\", "u", "0", "e", "9", "n", "é", "🙂", ",", "}", "]", "\t") }),
  );
  const frame = fc.oneof(
    fc.tuple(raw, fc.nat(2)).map(([text, index]) => content(text, index)),
    raw.map((text) => content(text).replace("content", "reasoning")),
    raw.map((text) => `{"choices":[{"text":"${text}","content":"x"}]}`),
    fc.string({ unit: fc.constantFrom("0", "1", "9", ",", "-", ".", " ", "]") }).map(ids),
    raw,
  );
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
      const objects = frames.map((data) => {
        const value = slow(data);
        return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
      });
      expect(parseAll(frames).parsed).toEqual(objects);
    }),
    { numRuns: 2_000 },
  );
});
