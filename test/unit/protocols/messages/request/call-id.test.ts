import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toClientId, toOriginId } from "../../../../../src/protocols/messages/request/call-id.ts";

test.each([
  ["chatcmpl-tool-9f3a", "toolu_chatcmpl-tool-9f3a"],
  ["call_1", "toolu_call_1"],
  ["toolu_1", "toolu_toolu_1"],
  ["x", "toolu_x"],
  ["x_1", "toolu_x_785f31"],
  ["functions.get:0", "toolu_x_66756e6374696f6e732e6765743a30"],
  ["é", "toolu_x_c3a9"],
  ["\u{feff}a", "toolu_x_efbbbf61"],
  ["a\ud800", "toolu_x_ff0061d800"],
  ["", "toolu_x_"],
])("%j is %j to the client", (origin, client) => {
  expect(toClientId(origin)).toBe(client);
  expect(toOriginId(client)).toBe(origin);
});

test.each([
  ["call_1"],
  ["toolu"],
  ["toolu_"],
  ["toolu_x_zz"],
  ["toolu_x_c3"],
  ["toolu_x_c3A9"],
  ["toolu_x_123"],
  ["toolu_x_ff12"],
  [""],
])("%j is not of our making and stays", (id) => {
  expect(toOriginId(id)).toBe(id);
});

test("an id that another provider made stays the same for its call and its result", () => {
  expect(toOriginId("toolu_01A09q90qw90lq917835lq9")).toBe("01A09q90qw90lq917835lq9");
});

const units = fc.array(fc.nat(0xffff)).map((list) => list.map((unit) => String.fromCharCode(unit)).join(""));
const plain = fc.stringMatching(/^(?:x_|toolu_|ff)?[A-Za-z0-9_-]*$/);

test("any id comes back, and the client's form is the protocol's", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), units, plain), (id) => {
      expect(toClientId(id)).toMatch(/^toolu_[A-Za-z0-9_-]+$/);
      expect(toOriginId(toClientId(id))).toBe(id);
    }),
    { numRuns: 2_000 },
  );
});
