import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import type { Frame } from "../../../src/sse/frame.ts";
import { SseParser } from "../../../src/sse/parse.ts";
import { everyCut } from "../../support/cuts.ts";
import { expectFrames, utf8 } from "../../support/sse.ts";

const MIB = 1_048_576;

describe("a record of more bytes than the limit ends the stream, however it is cut", () => {
  test.for([
    {
      name: "exactly the limit",
      input: "data: 12345678\n\ndata: b\n\n",
      expected: [
        { data: "12345678", bytes: "data: 12345678\n\n" },
        { data: "b", bytes: "data: b\n\n" },
      ],
    },
    {
      name: "exactly the limit, CR LF, whose last LF does not count",
      input: "data: 1234567\r\n\r\ndata: b\r\n\r\n",
      expected: [{ data: "1234567" }, { data: "b" }],
    },
    {
      name: "exactly the limit, unterminated",
      input: "data: 1234567890",
      expected: [{ data: "1234567890", unterminated: true as const }],
    },
    {
      name: "one over",
      input: "data: a\n\ndata: 123456789\n\ndata: b\n\n",
      expected: [{ data: "a", bytes: "data: a\n\n" }, { error: "origin_protocol" }],
    },
    {
      name: "one over, CR LF",
      input: "data: a\r\n\r\ndata: 12345678\r\n\r\ndata: b\r\n\r\n",
      expected: [{ data: "a" }, { error: "origin_protocol" }],
    },
    { name: "one over, unterminated", input: "data: 12345678901", expected: [{ error: "origin_protocol" }] },
    { name: "one over, counted in bytes", input: "data: 1234567é\n\n", expected: [{ error: "origin_protocol" }] },
    { name: "a comment", input: ": 3456789012345\n\ndata: b\n\n", expected: [{ error: "origin_protocol" }] },
    { name: "many lines", input: "id:1\nid:2\nid:3\nid:4\ndata: a\n\n", expected: [{ error: "origin_protocol" }] },
    {
      name: "several short records are not one long one",
      input: "data: 12\n\n: 34\n\ndata: 56\n\n",
      expected: [
        { data: "12", bytes: "data: 12\n\n" },
        { data: "56", bytes: "data: 56\n\n" },
      ],
    },
  ])("$name", ({ input, expected }) => {
    for (const cut of everyCut(utf8(input))) expectFrames(cut, expected, 16);
  });

  test("the error comes when the limit is passed, not when the record ends", () => {
    const parser = new SseParser(16);
    expect(parser.push(utf8("data: 1234567890"))).toEqual([]);
    const [error] = parser.push(utf8("1"));
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: "origin_protocol", message: expect.stringContaining("16") });
  });

  test("nothing comes after the error", () => {
    const parser = new SseParser(4);
    parser.push(utf8("data: long"));
    expect(parser.push(utf8("\n\ndata: b\n\n"))).toEqual([]);
    expect(parser.push(utf8("more and more"))).toEqual([]);
    expect(parser.end()).toEqual([]);
  });
});

describe("a record of 1 MiB", () => {
  test("costs a few copies of itself when it comes byte by byte", () => {
    const text = "x".repeat(MIB - 8);
    const bytes = utf8(`data: ${text}\n\n`);
    const parser = new SseParser(MIB);
    const outputs: (Frame | GatewayError)[] = [];
    const copied = countCopied(() => {
      for (let at = 0; at < bytes.length; at += 1) outputs.push(...parser.push(bytes.subarray(at, at + 1)));
    });
    expect(outputs).toHaveLength(1);
    expect(outputs[0]).toMatchObject({ data: text });
    expect(copied).toBeGreaterThan(MIB);
    expect(copied).toBeLessThan(6 * MIB);
  });

  test("is not copied at all when it comes in one piece", () => {
    const bytes = utf8(`data: ${"x".repeat(MIB - 8)}\n\n`);
    const frames = new SseParser(MIB)
      .push(bytes)
      .filter((output): output is Frame => !(output instanceof GatewayError));
    expect(frames).toHaveLength(1);
    expect(frames[0]?.bytes?.buffer).toBe(bytes.buffer);
  });
});

/* oxlint-disable no-extend-native, typescript/unbound-method -- the array's own methods are counted, and put back */

/** Returns how many bytes `work` copies from one array to another. */
function countCopied(work: () => void): number {
  const { set, slice } = Uint8Array.prototype;
  let copied = 0;
  Uint8Array.prototype.set = function (from, offset) {
    copied += from.length;
    set.call(this, from, offset);
  };
  Uint8Array.prototype.slice = function (start, end) {
    copied += (end ?? this.length) - (start ?? 0);
    return new Uint8Array(slice.call(this, start, end));
  };
  try {
    work();
  } finally {
    Object.assign(Uint8Array.prototype, { set, slice });
  }
  return copied;
}
