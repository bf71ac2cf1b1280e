import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonCompleteness } from "../../../src/core/json/completeness.ts";
import { randomPieces, seededRandom } from "../../support/random.ts";

function scan(...pieces: readonly string[]): JsonCompleteness {
  const scanner = new JsonCompleteness();
  for (const piece of pieces) scanner.push(piece);
  return scanner;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 2 });
const json = fc
  .tuple(space, fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(undefined, 1), space)
  .map(([before, value, indent, after]) => before + JSON.stringify(value, null, indent) + after);

describe("a text is one complete value", () => {
  test("exactly where JSON.parse takes it, at every prefix of valid JSON, in whatever pieces", () => {
    const property = fc.property(json, fc.nat(), (text, seed) => {
      const pieces = randomPieces(new TextEncoder().encode(text), seededRandom(seed), 8);
      const scanner = new JsonCompleteness();
      let seen = "";
      for (const piece of pieces) {
        const part = Array.from(piece, (byte) => String.fromCharCode(byte)).join("");
        seen += part;
        scanner.push(part);
        expect([seen, scanner.complete]).toEqual([seen, parses(seen.replace(/[^ -~\s]/g, "x"))]);
        expect([seen, scanner.empty]).toEqual([seen, seen.trim() === ""]);
      }
    });
    fc.assert(property, { numRuns: 500, seed: 3 });
  });

  test.each([
    "{}",
    " {} ",
    "[]",
    "[[],{}]",
    '"a"',
    '"\\""',
    '"\\\\"',
    "0",
    "-1.5e+3",
    "true",
    "null ",
    '{"a":"}"}',
    '{"a":"\\\\"}',
  ])("%s", (text) => {
    expect(scan(text).complete).toBe(true);
    expect(scan(...text.split("")).complete).toBe(true);
  });

  test.each([
    "",
    " ",
    "{",
    "[",
    '{"a":"}',
    '"',
    '"\\"',
    '{"a":"\\',
    "-",
    "1.",
    "1e",
    "tru",
    "nul",
    "{}{",
    "{}x",
    "1 2",
    '""""',
    "[]]",
  ])("not: %s", (text) => {
    expect(scan(text).complete).toBe(false);
    expect(scan(...text.split("")).complete).toBe(false);
  });

  test("not any more once something follows it", () => {
    expect(scan("{}", " ", "\n").complete).toBe(true);
    expect(scan("{}", " ", "{}").complete).toBe(false);
    expect(scan("{}", "x", "").complete).toBe(false);
  });
});

test("only white space is empty", () => {
  expect(scan("", " \n").empty).toBe(true);
  expect(scan(" ", "x").empty).toBe(false);
});

test("a scalar without end takes no memory", () => {
  const scanner = scan("1");
  for (let at = 0; at < 1_000; at += 1) scanner.push("1".repeat(100));
  expect(JSON.stringify(scanner).length).toBeLessThan(1_000);
  expect(scanner.complete).toBe(true);
});
