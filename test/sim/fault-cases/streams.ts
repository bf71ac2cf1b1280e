import { expect } from "vitest";

import { recordsOf } from "../support/shape.ts";
import { LAST, tokens, type Checks, type Seen } from "../support/seen.ts";

/** Streams that go wrong in their first events or in the middle. */
export const STREAMS: Checks = {
  "error-first": (a) =>
    expect([a.status, a.events.length, a.text]).toEqual([200, 2, expect.stringContaining('"code": 400')]),
  "error-first-500": (a) => expect([a.events.length, a.text]).toEqual([2, expect.stringContaining('"code": 500')]),
  "role-then-error": (a) => expect([a.deltas, a.events.length]).toEqual([[{ role: "assistant", content: "" }], 3]),
  "done-only": (a) => expect(a.text).toBe(LAST),
  "comments-first?prefill_ms=60&keepalive_ms=10": (a) =>
    expect(a.text).toMatch(/^(: keep-alive\n\n){6}data: .*\[DONE\]\n\n$/s),
  "no-role": (a) => expect(a.deltas.some((delta) => "role" in delta)).toBe(false),
  "two-roles": (a) => expect(a.deltas.filter((delta) => "role" in delta).length).toBe(2),
  "late-role": (a) => expect(a.deltas.findIndex((delta) => "role" in delta)).toBe(1),
  "error-mid": (a) =>
    expect([tokens(a), a.text]).toEqual([3, expect.stringMatching(/"error":.*\n\ndata: \[DONE\]\n\n$/)]),
  "eof-mid": (a) => expect([tokens(a), a.finishes, a.ended]).toEqual([3, [], "complete"]),
  "reset-mid": (a) => expect([tokens(a), a.ended]).toEqual([3, "reset"]),
  "half-frame": (a) => expect([a.text.endsWith("\n"), a.ended]).toEqual([false, "complete"]),
  "half-utf8": (a) => expect(a.text.endsWith("天\uFFFD")).toBe(true),
  "no-last-blank": (a) => expect(a.text.endsWith("\n\ndata: [DONE]")).toBe(true),
  "no-last-blank?as=finish": (a) => expect(a.text).toMatch(/"finish_reason":"stop".*\}$/),
  "bad-json": (a) => expect([a.finishes, a.text.endsWith(LAST)]).toEqual([["stop"], true]),
  "huge-frame?size=1000000": (a) => hugeBy(a, 0),
  "tiny-packets": (a) =>
    expect([Math.max(...a.chunks.map((chunk) => chunk.length)), a.finishes]).toEqual([1, ["stop"]]),
  burst: (a) => expect(Math.max(...a.chunks.map((chunk) => recordsOf(chunk.toString()).length))).toBe(2000),
  crlf: (a) => expect(a.text).toMatch(/^data: .*\r\n\r\ndata: \[DONE\]\r\n\r\n$/s),
  cr: (a) => expect(a.text).toMatch(/^data: [^\n]*\r\rdata: \[DONE\]\r\r$/),
  "mixed-eol": (a) => expect([/[^\r]\n/, /\r\n/, /\r[^\n]/].map((end) => end.test(a.text))).toEqual([true, true, true]),
  bom: (a) => expect([...a.body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]),
  "no-space": (a) => expect(a.text).toMatch(/^data:\{.*data:\[DONE\]\n\n$/s),
  "multi-data": (a) => expect(a.text).toMatch(/^data: \{"(request_)?id":"[^"]+",\ndata: "/),
  ids: (a) => expect(a.text).toMatch(/^event: message\nid: 0\nretry: 3000\ndata: \{/),
  "foreign-id": (a) =>
    expect(new Set(a.events.map((event) => /"(?:request_)?id":"([^"]+)"/.exec(event)?.[1])).size).toBeGreaterThan(2),
  "unknown-fields": (a) => expect(a.text.match(/"x_sim"/g)?.length).toBeGreaterThan(10),
  "null-delta": (a) => expect(a.text).toMatch(/"(delta|text)":null/),
  "no-choices": (a) =>
    expect(a.events.some((event) => event.startsWith("{") && !event.includes('"choices":'))).toBe(true),
  "long?events=20000": (a) => expect(tokens(a)).toBe(20_000),
};

/** The huge event is as long as was asked, but for so many bytes at most. */
export function hugeBy(a: Seen, most: number): void {
  const longest = Math.max(...a.events.map((event) => event.length));
  const wanted = 1_000_000 - "data: \n\n".length;
  expect([longest <= wanted, longest >= wanted - most]).toEqual([true, true]);
}
