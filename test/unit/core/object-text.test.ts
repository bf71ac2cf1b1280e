/** Whether pieces of text make up a JSON object. */
import { describe, expect, test } from "vitest";
import { JsonObjectText } from "../../../src/core/json/object-text.ts";

function read(...pieces: readonly string[]): { closed: boolean; isObject: boolean } {
  const text = new JsonObjectText();
  for (const piece of pieces) text.push(piece);
  return { closed: text.closed, isObject: text.isObject };
}

const inLetters = (text: string): string[] => Array.from(text, (letter) => letter);

const OBJECT = { closed: true, isObject: true };
const OTHER = { closed: true, isObject: false };
const OPEN = { closed: false, isObject: false };

describe("a text", () => {
  test.each([["{}"], [" {\n} "], ['{"a":"}"}'], ['{"a":[1,{"b":null}]}'], ['{"a":1,"a":2}'], ['{"__proto__":1}']])(
    "is an object, however it is cut: %s",
    (text) => {
      expect(read(text)).toEqual(OBJECT);
      expect(read(...inLetters(text))).toEqual(OBJECT);
    },
  );

  test.each([
    ['{"a":}'],
    ['{"a":1]'],
    ["{a:1}"],
    ['{"a":1,}'],
    ["{'a':1}"],
    ['{"a":"\n"}'],
    ["\u00a0{}"],
    ["[1]"],
    ['"str"'],
    ["1"],
    ["null"],
  ])("is closed and no object: %s", (text) => {
    expect(read(text)).toEqual(OTHER);
    expect(read(...inLetters(text))).toEqual(OTHER);
  });

  test.each([[""], [" "], ["{"], ['{"a":"}'], ["{}}"], ["{} x"], ["tru"]])("is not closed, or overrun: %j", (text) => {
    expect(read(text)).toEqual(OPEN);
    expect(read(...inLetters(text))).toEqual(OPEN);
  });

  test("may be deep", () => {
    expect(read('{"a":', "[".repeat(500_000), "]".repeat(500_000), "}")).toEqual(OBJECT);
  });
});

describe("a text beyond 1 MiB", () => {
  const long = "x".repeat(1_048_568);

  test("is parsed up to there", () => {
    expect(read('{"a":"', long, '"}')).toEqual(OBJECT);
    expect(read('{ a :"', long, '"}')).toEqual(OTHER);
  });

  test("is followed in its brackets only", () => {
    expect(read('{"a":"x', long, '"}')).toEqual(OBJECT);
    expect(read('{"a": "', long, '"} ')).toEqual(OBJECT);
    expect(read('{ a : "', long, '"} ')).toEqual(OBJECT);
    expect(read('["', long, '"        ]')).toEqual(OTHER);
    expect(read('{"a":"', long, "xxxx")).toEqual(OPEN);
  });
});
