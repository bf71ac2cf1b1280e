import * as fc from "fast-check";
import { expect, test } from "vitest";

import { valueFor } from "../../sim/text/schema.ts";
import { violations } from "./support/validate.ts";

type Schema = Parameters<typeof valueFor>[0];

const range = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 60 }));

/** Schemas that can be satisfied, of the keywords that the simulation says it understands. */
const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant<Schema>({ type: "boolean" }),
    fc.constant<Schema>({ type: ["null", "string"] }),
    fc.constantFrom<Schema>({ const: 7 }, { enum: ["c", "f"] }, { type: "integer", enum: ["x", 3] }, { type: "null" }),
    fc.constantFrom<Schema>({ $ref: "#/$defs/point" }, { anyOf: [{ type: "string" }, { type: "null" }] }),
    fc.constantFrom<Schema>({ type: "string", format: "date-time" }, { type: "string", format: "uuid" }, {}),
    range.map(([minimum, width]): Schema => ({ type: "integer", minimum, maximum: minimum + width })),
    range.map(([low, width]): Schema => ({ type: "number", exclusiveMinimum: low, exclusiveMaximum: low + width })),
    range.map(([minimum, step]): Schema => ({ type: "integer", minimum, multipleOf: step })),
    fc.tuple(fc.nat(30), fc.nat(30)).map(([least, more]): Schema => {
      return { type: "string", minLength: least, maxLength: least + more };
    }),
    fc.tuple(tie("schema"), fc.nat(3), fc.nat(3)).map(([items, least, more]): Schema => {
      return { type: "array", items, minItems: least, maxItems: least + more };
    }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie("schema"), { maxKeys: 4 }).map((properties): Schema => {
      return { type: "object", properties, required: [...Object.keys(properties), "always"] };
    }),
    fc.tuple(range, range).map(([[one], [two]]): Schema => {
      return {
        allOf: [
          { type: "integer", minimum: one },
          { type: "integer", minimum: two },
        ],
      };
    }),
  ),
}));

const $defs: Schema = { point: { type: "object", properties: { x: { type: "number", maximum: 0 } }, required: ["x"] } };

test("arguments satisfy their schema", () => {
  fc.assert(
    fc.property(schema, (below) => {
      const whole: Schema = { type: "object", properties: { below }, required: ["below"], $defs };
      expect(violations(valueFor(whole), whole)).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test("defaults and examples are preferred, readable words otherwise", () => {
  expect(valueFor({ type: "string", default: "Paris" })).toBe("Paris");
  expect(valueFor({ type: "integer", examples: [42] })).toBe(42);
  expect(valueFor({ type: "object", properties: { city: { type: "string" } } })).toEqual({ city: "Łódź" });
});

test("a schema that refers to itself has an end", () => {
  const tree: Schema = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
    required: ["name"],
  };
  expect(violations(valueFor(tree), tree)).toEqual([]);
});
