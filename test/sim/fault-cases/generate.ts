import { expect } from "vitest";

import { tokens, type Checks } from "../support/seen.ts";
import { hugeBy } from "./streams.ts";

/** Where generate shows a fault in another way: it has ids and no text, and writes its nulls. */
export const IN_GENERATE: Checks = {
  "null-delta": (a) => expect(a.text).toContain('"token_ids":null'),
  // Ids are not cut in their middle.
  "huge-frame?size=1000000": (a) => hugeBy(a, 4),
  // The finish has an id too.
  "long?events=20000": (a) => expect(tokens(a)).toBe(20_001),
  "after-done": (a) => expect(a.text).toMatch(/\[DONE\]\n\n.*"token_ids":\[\d+,\d+\].*"stop"/s),
  "full-huge?size=3000000": (a) => expect([a.ended, a.body.length > 2_999_990]).toEqual(["complete", true]),
};
