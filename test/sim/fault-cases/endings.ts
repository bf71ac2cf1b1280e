import { expect } from "vitest";

import { LAST, type Checks } from "../support/seen.ts";

/** Streams that go wrong at their end. */
export const ENDINGS: Checks = {
  "no-done": (a) => expect([a.finishes, a.text.includes("[DONE]"), a.ended]).toEqual([["stop"], false, "complete"]),
  "no-finish": (a) => expect([a.finishes, a.text.endsWith(LAST)]).toEqual([[], true]),
  "two-finishes": (a) => expect(a.finishes).toEqual(["stop", "stop"]),
  "two-done": (a) => expect(a.text.endsWith(LAST + LAST)).toBe(true),
  "after-done": (a) => expect(a.text).toMatch(/\[DONE\]\n\n.* too late.*"stop"/s),
  "finish-with-text": (a) => expect([a.finishes, a.said.at(-1)]).toEqual([["stop"], expect.stringMatching(/./)]),
  "finish-early": (a) => expect([a.finishes, a.said.length > 6]).toEqual([["stop"], true]),
  "finish-empty": (a) => expect(a.text.match(/"finish_reason":""/g)?.length).toBe(a.said.length - 1),
  "finish-abort": (a) => expect(a.finishes).toEqual(["abort"]),
  "finish-error": (a) => expect(a.finishes).toEqual(["error"]),
  "finish-repetition": (a) => expect(a.finishes).toEqual(["repetition"]),
  "finish-new": (a) => expect(a.finishes).toEqual(["moonrise"]),
  "no-usage": (a) => expect(a.text).not.toContain('"usage":{'),
  "usage-twice": (a) => expect(a.text.match(/"usage":\{/g)?.length).toBe(2),
  "usage-early": (a) => expect(a.text).toMatch(/"usage":\{.*"finish_reason":"stop"/s),
  "usage-everywhere": (a) => expect(a.text.match(/"usage"/g)?.length).toBe(a.events.length - 1),
  "usage-nonsense": (a) => expect(a.text).toContain('"prompt_tokens":-5'),
};
