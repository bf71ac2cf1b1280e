import { gunzipSync } from "node:zlib";

import { expect } from "vitest";

import { isJson, LAST, type Checks } from "../support/seen.ts";

/** What goes wrong with the answers of relays. */
export const IN_RELAYS: Checks = {
  "hang-up": (a) => expect(a.ended).toBe("empty"),
  "slow-head?head_ms=20": (a) => expect([a.status, isJson(a.text)]).toEqual([200, true]),
  redirect: (a) => expect(a.header("location")).toMatch(/gpu-7.*\/tokenize$/),
  "no-type": (a) => expect([a.header("content-type"), isJson(a.text)]).toEqual([undefined, true]),
  "empty-200": (a) => expect([a.status, a.text, a.ended]).toEqual([200, "", "complete"]),
  gzip: (a) => expect(isJson(gunzipSync(a.body).toString())).toBe(true),
  "huge-head": (a) => expect(JSON.stringify(a.headers).length).toBeGreaterThan(65_000),
  "error-python": (a) => expect([a.status, a.text]).toEqual([400, expect.stringContaining('"BadRequestError"')]),
  "error-rust": (a) => expect([a.status, a.text]).toEqual([400, expect.stringContaining("invalid_request_error")]),
  "error-string": (a) => expect(a.status).toBe(503),
  "error-429": (a) => expect([a.status, a.header("retry-after")]).toEqual([429, "7"]),
  "error-401": (a) => expect(a.status).toBe(401),
  "error-404-empty": (a) => expect([a.status, a.text]).toEqual([404, ""]),
  "error-404-detail": (a) => expect([a.status, a.text]).toEqual([404, '{"detail":"Not Found"}']),
  "error-403-switch": (a) => expect(a.text).toContain("--enable-scale-out"),
  "error-52x": (a) => expect(a.status).toBe(524),
  "error-404-model": (a) => expect(a.status).toBe(404),
  "error-html": (a) => expect([a.status, a.header("content-type")]).toEqual([502, "text/html"]),
  "error-500-stack": (a) => expect([a.status, a.text]).toEqual([500, expect.stringContaining("Traceback")]),
  "error-503-dead": (a) => expect([a.status, a.text]).toEqual([503, ""]),
  "eof-mid": (a) => expect([a.status, a.ended]).toEqual([200, "cut"]),
  "reset-mid": (a) => expect(a.ended).toBe("reset"),
  "full-cut": (a) => expect(a.ended).toBe("cut"),
  "full-bad-json": (a) => expect([a.status, a.ended, isJson(a.text)]).toEqual([200, "complete", false]),
  "full-huge?size=3000000": (a) => expect([a.body.length, a.ended]).toEqual([3_000_000, "complete"]),
  "full-sse": (a) => expect(a.text.endsWith(LAST)).toBe(true),
};
