import * as fc from "fast-check";
import { expect, test } from "vitest";
import { editObject, memberText, type Edits } from "../../../src/core/json/edit.ts";
import { members } from "../../../src/core/json/members.ts";

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 2 });
// V8 13.6 reads a key that is one escaped character as a lone backslash once it has met that key in a like object, so
// no key here is a lone backslash.
const key = fc
  .oneof(
    fc.constantFrom("a", "b", "c", "model", "__proto__", "constructor", "", "0", '"', "\\\\", "}", "é天🙂"),
    fc.string({ unit: "binary", maxLength: 4 }),
  )
  .filter((text) => text !== "\\");
const value = fc.jsonValue({ maxDepth: 2 }).filter((made) => !JSON.stringify(made).includes("\\"));
const keyText = key.chain((plain) => fc.constantFrom(JSON.stringify(plain), escapeAll(plain)));
const valueText = fc.oneof(
  fc.constantFrom("9223372036854775807", "1.0", "-0", "1E2", '"\\u0065\\/"', "{ }", "[ ]"),
  value.map((made) => JSON.stringify(made)),
  value.map((made) => JSON.stringify(made, null, 2)),
);
const memberOf = fc
  .tuple(space, keyText, space, space, valueText, space)
  .map(([before, name, a, b, valued, after]) => `${before}${name}${a}:${b}${valued}${after}`);

/** The text of an object, in any spelling; keys may come twice. */
const objectText = fc
  .tuple(space, fc.array(memberOf, { maxLength: 6 }), space, space)
  .map(([before, list, inside, after]) => `${before}{${list.length > 0 ? list.join(",") : inside}}${after}`);

/** Edits, by preference of keys that `objectText` is likely to have; no value means removal. */
const editList = fc.array(fc.tuple(key, fc.option(value, { nil: undefined })), { maxLength: 4 });

function escapeAll(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, "0"));
  return `"${units.map((unit) => `\\u${unit}`).join("")}"`;
}

function apply(text: string, edits: Edits): unknown {
  const object: Record<string, unknown> = JSON.parse(text);
  for (const [name, edit] of Object.entries(edits)) {
    if (edit === undefined) delete object[name];
    else Object.defineProperty(object, name, { value: edit, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

test("editing the text is editing the object", () => {
  fc.assert(
    fc.property(objectText, editList, (text, list) => {
      const edits: Edits = Object.fromEntries(list);
      expect(JSON.stringify(JSON.parse(editObject(text, edits)))).toBe(JSON.stringify(apply(text, edits)));
    }),
    { numRuns: 2_000 },
  );
});

test("what is not edited keeps its every character", () => {
  fc.assert(
    fc.property(objectText, editList, (text, list) => {
      const edits: Edits = Object.fromEntries(list);
      const edited = editObject(text, edits);
      const untouched = (of: string) =>
        members(of)
          .filter((member) => !Object.hasOwn(edits, member.key))
          .map((member) => of.slice(member.start, member.valueEnd));
      expect(untouched(edited)).toEqual(untouched(text));
    }),
    { numRuns: 2_000 },
  );
});

test("each member's text is its value", () => {
  fc.assert(
    fc.property(objectText, (text) => {
      const object: Record<string, unknown> = JSON.parse(text);
      expect([...new Set(members(text).map((member) => member.key))].toSorted()).toEqual(
        Object.keys(object).toSorted(),
      );
      for (const [name, parsed] of Object.entries(object)) {
        expect(JSON.stringify(JSON.parse(memberText(text, name) ?? "nothing"))).toBe(JSON.stringify(parsed));
      }
    }),
    { numRuns: 1_000 },
  );
});
