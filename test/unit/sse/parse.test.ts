import { describe, expect, test } from "vitest";
import { SseParser } from "../../../src/sse/parse.ts";
import { byteByByte, everyCut, recordedSizes } from "../../support/cuts.ts";
import { expectFrames, parsePieces, utf8, type ShownFrame } from "../../support/sse.ts";

interface Spelling {
  readonly name: string;
  readonly input: string | Uint8Array;
  readonly frames: readonly ShownFrame[];
}

const SPELLINGS: readonly Spelling[] = [
  {
    name: "records as vLLM spells them",
    input: 'data: {"a":1}\n\ndata: [DONE]\n\n',
    frames: [
      { data: '{"a":1}', bytes: 'data: {"a":1}\n\n' },
      { data: "[DONE]", bytes: "data: [DONE]\n\n" },
    ],
  },
  {
    name: "characters of two, three and four bytes",
    input: "data: é天🙂\n\ndata: 👩‍👩‍👧\n\n",
    frames: [
      { data: "é天🙂", bytes: "data: é天🙂\n\n" },
      { data: "👩‍👩‍👧", bytes: "data: 👩‍👩‍👧\n\n" },
    ],
  },
  { name: "crlf", input: "data: é\r\n\r\ndata: b\r\n\r\n", frames: [{ data: "é" }, { data: "b" }] },
  {
    name: "crlf, then a record as vLLM spells them",
    input: "data: a\r\n\r\ndata: b\n\n",
    frames: [{ data: "a" }, { data: "b", bytes: "data: b\n\n" }],
  },
  { name: "cr", input: "data: é\r\rdata: b\r\r", frames: [{ data: "é" }, { data: "b" }] },
  {
    name: "mixed-eol",
    input: "data: a\r\n\ndata: b\n\r\ndata: c\r\r\ndata: d\n\rdata: e\n\n",
    frames: [{ data: "a" }, { data: "b" }, { data: "c" }, { data: "d" }, { data: "e", bytes: "data: e\n\n" }],
  },
  {
    name: "mixed-eol inside a record of several lines",
    input: "data: a\rdata: b\r\ndata: c\nid: 1\r\n\r\n",
    frames: [{ data: "a\nb\nc" }],
  },
  {
    name: "blank lines before, between and after records",
    input: "\n\r\n\rdata: a\n\n\n\r\r\n\n",
    frames: [{ data: "a", bytes: "data: a\n\n" }],
  },
  {
    name: "bom",
    input: "\uFEFFdata: a\n\ndata: b\n\n",
    frames: [{ data: "a" }, { data: "b", bytes: "data: b\n\n" }],
  },
  { name: "a bom with cr line ends", input: "\uFEFFdata: a\r\rdata: b\r\r", frames: [{ data: "a" }, { data: "b" }] },
  { name: "a bom on a line of its own", input: "\uFEFF\ndata: a\n\n", frames: [{ data: "a" }] },
  {
    name: "a second bom, which is part of a field's name",
    input: "\uFEFF\uFEFFdata: a\n\ndata: b\n\n",
    frames: [{ data: "b", bytes: "data: b\n\n" }],
  },
  {
    name: "a bom on a later record, which is part of a field's name",
    input: "data: a\n\n\uFEFFdata: b\n\n",
    frames: [{ data: "a", bytes: "data: a\n\n" }],
  },
  {
    name: "a bom in front of the text, which is data",
    input: "data: \uFEFFa\n\n",
    frames: [{ data: "\uFEFFa", bytes: "data: \uFEFFa\n\n" }],
  },
  { name: "no-space", input: "data:a\n\ndata:天\n\n", frames: [{ data: "a" }, { data: "天" }] },
  { name: "two spaces, of which one is data", input: "data:  a\n\n", frames: [{ data: " a", bytes: "data:  a\n\n" }] },
  { name: "a tab, which is data", input: "data:\ta\n\n", frames: [{ data: "\ta" }] },
  { name: "a colon, which is data", input: "data: :a: b\n\n", frames: [{ data: ":a: b", bytes: "data: :a: b\n\n" }] },
  { name: "multi-data", input: 'data: {"a":\ndata:1}\n\n', frames: [{ data: '{"a":\n1}' }] },
  {
    name: "multi-data with empty lines of data",
    input: "data: a\ndata\ndata:\ndata: b\n\n",
    frames: [{ data: "a\n\n\nb" }],
  },
  { name: "two empty lines of data", input: "data\ndata:\n\n", frames: [{ data: "\n" }] },
  { name: "ids", input: "id: 1\ndata: a\n\ndata: b\nid: 2\n\n", frames: [{ data: "a" }, { data: "b" }] },
  { name: "event", input: "event: ping\ndata: a\n\nevent: ping\n\n", frames: [{ data: "a" }] },
  { name: "retry", input: "retry: 1000\n\nretry: 10\ndata: a\n\n", frames: [{ data: "a" }] },
  { name: "a comment before a record", input: ": é\ndata: a\n\n", frames: [{ data: "a" }] },
  {
    name: "comments between records",
    input: "data: a\n\n: keep-alive\n\n:\n\ndata: b\n\n",
    frames: [
      { data: "a", bytes: "data: a\n\n" },
      { data: "b", bytes: "data: b\n\n" },
    ],
  },
  { name: "a comment inside a record", input: "data: a\n:data: x\ndata: b\n\n", frames: [{ data: "a\nb" }] },
  { name: "a comment after the data", input: "data: a\n: x\n\n", frames: [{ data: "a" }] },
  { name: "comments alone", input: ": a\n\n: b\n\n:\n", frames: [] },
  { name: "empty data", input: "data:\n\ndata: \n\ndata: a\n\n", frames: [{ data: "a", bytes: "data: a\n\n" }] },
  { name: "data without a colon", input: "data\n\ndata: a\n\n", frames: [{ data: "a", bytes: "data: a\n\n" }] },
  {
    name: "unknown fields",
    input: "foo: 1\nData: 2\ndatax: 3\n data: 4\ndata : 5\ndata: a\n\n",
    frames: [{ data: "a" }],
  },
  {
    name: "NUL in the data and in an id",
    input: "data: a\0b\n\nid: \0\ndata: c\n\n",
    frames: [{ data: "a\0b", bytes: "data: a\0b\n\n" }, { data: "c" }],
  },
  {
    name: "line separators of Unicode, which end no line here",
    input: "data: a\u2028b\u2029c\u0085d\v\f\n\n",
    frames: [{ data: "a\u2028b\u2029c\u0085d\v\f", bytes: "data: a\u2028b\u2029c\u0085d\v\f\n\n" }],
  },
  { name: "no bytes at all", input: "", frames: [] },
  {
    name: "no-last-blank",
    input: "data: a\n\ndata: [DONE]\n",
    frames: [
      { data: "a", bytes: "data: a\n\n" },
      { data: "[DONE]", unterminated: true },
    ],
  },
  {
    name: "a last record without any line end",
    input: "data: [DONE]",
    frames: [{ data: "[DONE]", unterminated: true }],
  },
  { name: "a last record after its first cr", input: "data: a\r", frames: [{ data: "a", unterminated: true }] },
  { name: "a last record after its first crlf", input: "data: a\r\n", frames: [{ data: "a", unterminated: true }] },
  {
    name: "a last record of several lines",
    input: "\uFEFFid: 1\ndata: a\ndata: b",
    frames: [{ data: "a\nb", unterminated: true }],
  },
  {
    name: "a last record without data",
    input: "data: a\n\nevent: x\n: y\ndata",
    frames: [{ data: "a", bytes: "data: a\n\n" }],
  },
  {
    name: "half-frame",
    input: 'data: a\n\ndata: {"b',
    frames: [
      { data: "a", bytes: "data: a\n\n" },
      { data: '{"b', unterminated: true },
    ],
  },
  { name: "half-utf8", input: utf8("data: b天").subarray(0, -1), frames: [{ data: "b\uFFFD", unterminated: true }] },
  { name: "half a bom", input: Uint8Array.of(0xef, 0xbb), frames: [] },
];

describe("the frames are the same however the bytes are cut", () => {
  test.for(SPELLINGS)("$name", ({ input, frames }) => {
    const bytes = typeof input === "string" ? utf8(input) : input;
    for (const cut of everyCut(bytes)) expectFrames(cut, frames);
  });

  test("in the sizes in which a socket gave them", () => {
    const bytes = utf8("data: é\n\ndata: b\n\n");
    expectFrames(recordedSizes(bytes, [7, 1, 3, 6]), [
      { data: "é", bytes: "data: é\n\n" },
      { data: "b", bytes: "data: b\n\n" },
    ]);
  });

  test("2,000 records in one piece come out in order", () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => `{"n":${index}}`);
    const frames = parsePieces([utf8(texts.map((text) => `data: ${text}\n\n`).join(""))]);
    expect(frames.map((frame) => "data" in frame && frame.data)).toEqual(texts);
  });
});

describe("a record is given out by the push that completes it", () => {
  test.for([
    { name: "LF", record: "data: é\n\n" },
    { name: "CR LF, at the CR", record: "data: é\r\n\r" },
    { name: "CR", record: "data: é\r\r" },
    { name: "CR after LF", record: "data: é\n\r" },
    { name: "LF after CR LF", record: "data: é\r\n\n" },
  ])("$name", ({ record }) => {
    const parser = new SseParser(1_000);
    const perPush = byteByByte(utf8(record)).pieces.map((piece) => parser.push(piece).length);
    expect(perPush.at(-1)).toBe(1);
    expect(perPush.slice(0, -1).every((count) => count === 0)).toBe(true);
    expect(parser.end()).toEqual([]);
  });

  test("also when it shares its piece with the start of the next one", () => {
    const parser = new SseParser(1_000);
    expect(parser.push(utf8("data: a\r\rdata: b\r"))).toMatchObject([{ data: "a" }]);
    expect(parser.push(utf8("\r"))).toMatchObject([{ data: "b" }]);
    expect(parser.push(utf8("\ndata: c\n\n"))).toMatchObject([{ data: "c" }]);
  });
});

test("the bytes of a frame stay what they were after the parser has gone on", () => {
  const parser = new SseParser(1_000);
  parser.push(utf8("data: fi"));
  const [first] = parser.push(utf8("rst\n\n"));
  parser.push(utf8("data: overwritten"));
  parser.push(utf8("?\n\n"));
  expect(first).toMatchObject({ data: "first", bytes: utf8("data: first\n\n"), unterminated: false });
});
