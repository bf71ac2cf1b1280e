import { gunzipSync } from "node:zlib";

import { expect } from "vitest";

import { isJson, LAST, type Checks, type Seen } from "../support/seen.ts";

/** Faults asked for a whole answer. */
export const WHOLE: Checks = {
  "full-cut": (a) => expect([a.status, a.ended]).toEqual([200, "cut"]),
  "full-bad-json": (a) => expect([a.status, a.ended, isJson(a.text)]).toEqual([200, "complete", false]),
  "full-huge?size=3000000": (a) => expect([a.body.length, a.ended]).toEqual([3_000_000, "complete"]),
  "full-sse": (a) =>
    expect([a.header("content-type"), a.text.endsWith(LAST)]).toEqual([expect.stringContaining("event-stream"), true]),
  "full-rules"(a) {
    expect(a.text).toContain('"finish_reason":"stop"');
    expect(a.text).toMatch(/"arguments":\{.*"reasoning_content":"/);
    expect(a.text).not.toContain('"usage":');
  },
  "hang-up": (a) => expect(a.ended).toBe("empty"),
  "eof-mid": (a) => expect(a.ended).toBe("cut"),
  "reset-mid": (a) => expect(a.ended).toBe("reset"),
  "error-first": (a) => expect(a.status).toBe(400),
  "error-mid": (a) => expect(a.status).toBe(500),
  "error-html": (a) => expect(a.status).toBe(502),
  gzip: (a) => expect(isJson(gunzipSync(a.body).toString())).toBe(true),
  stall: wholeAsUsual,
  crlf: wholeAsUsual,
  "no-done": wholeAsUsual,
  "no-usage": (a) => expect(a.text).not.toContain('"usage":'),
  "finish-new": (a) => expect(a.text).toContain("moonrise"),
};

function wholeAsUsual(a: Seen): void {
  expect([a.status, a.ended, isJson(a.text)]).toEqual([200, "complete", true]);
}

/** Faults of whole answers, asked to stream. */
export const STREAMED_WHOLES: Checks = {
  "full-cut": healthy,
  "full-bad-json": healthy,
  "full-huge": healthy,
  "full-stall": healthy,
  "full-rules": healthy,
  "full-sse": healthy,
};

function healthy(a: Seen): void {
  expect([a.status, a.finishes, a.text.endsWith(LAST)]).toEqual([200, ["stop"], true]);
}
