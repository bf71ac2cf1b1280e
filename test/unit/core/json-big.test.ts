import { afterEach, expect, test, vi } from "vitest";
import { editObject } from "../../../src/core/json/edit.ts";

const MB = 1_000_000;

afterEach(() => vi.restoreAllMocks());

/** Returns how many characters were looked at one by one while `model` was set in `text`. */
function looksNeeded(text: string): number {
  const looks = vi.spyOn(String.prototype, "charCodeAt");
  const edited = editObject(text, { model: "new" });
  const count = looks.mock.calls.length;
  expect(edited === text.replace('"model":"old"', '"model":"new"')).toBe(true);
  return count;
}

test("a string of 5 MB is leapt over, not walked through", () => {
  expect(looksNeeded(`{"messages":[{"content":"${"A".repeat(5 * MB)}"}],"model":"old","n":1}`)).toBeLessThan(100);
});

test("a string of 5 MB right at the top level too", () => {
  expect(looksNeeded(`{"prompt":"${"A".repeat(5 * MB)}","model":"old"}`)).toBeLessThan(100);
});

test("escapes inside a long string cost no more than their number", () => {
  const escapes = 10_000;
  expect(looksNeeded(`{"prompt":"${'\\"\\\\'.repeat(escapes)}","model":"old"}`)).toBeLessThan(5 * escapes);
});

test("a long run of backslashes is counted once", () => {
  const backslashes = 20_000;
  expect(looksNeeded(`{"prompt":"${"\\\\".repeat(backslashes / 2)}","model":"old"}`)).toBeLessThan(2 * backslashes);
});
