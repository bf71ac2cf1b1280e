import { gunzipSync } from "node:zlib";

import { expect } from "vitest";

import { LAST, type Checks } from "../support/seen.ts";

/** Answers that go wrong before their first event. */
export const BEFORE_HEAD: Checks = {
  "hang-up": (a) => expect(a.ended).toBe("empty"),
  "slow-head?head_ms=30": (a) => expect(a.text.endsWith(LAST)).toBe(true),
  "error-python": (a) => expect([a.status, a.text]).toEqual([400, expect.stringContaining("(parameter=temperature")]),
  "error-rust": (a) => expect([a.status, a.text]).toEqual([400, expect.stringContaining("invalid_request_error")]),
  "error-string": (a) =>
    expect([a.status, a.text, a.header("retry-after")]).toEqual([503, expect.stringMatching(/^\{"error":"/), "7"]),
  "error-string?as=text": (a) => expect([a.status, a.text]).toEqual([503, "Service Unavailable"]),
  "error-429": (a) => expect([a.status, a.header("retry-after")]).toEqual([429, "7"]),
  "error-401": (a) => expect([a.status, a.text]).toEqual([401, '{"error":"Unauthorized"}']),
  "error-401?status=403": (a) => expect(a.status).toBe(403),
  "error-404-empty": (a) => expect([a.status, a.text]).toEqual([404, ""]),
  "error-404-detail": (a) => expect([a.status, a.text]).toEqual([404, '{"detail":"Not Found"}']),
  "error-403-switch": (a) => expect([a.status, a.text]).toEqual([403, expect.stringContaining("--enable-scale-out")]),
  "error-52x": (a) => expect([a.status, a.header("content-type")]).toEqual([524, "text/html; charset=UTF-8"]),
  "error-52x?status=521": (a) => expect(a.status).toBe(521),
  "error-404-model": (a) => expect([a.status, a.text]).toEqual([404, expect.stringContaining("does not exist")]),
  "error-html": (a) => expect([a.status, a.text]).toEqual([502, expect.stringContaining("<html>")]),
  "error-500-stack": (a) => expect([a.status, a.text]).toEqual([500, expect.stringContaining("Traceback")]),
  "error-503-dead": (a) => expect([a.status, a.text]).toEqual([503, ""]),
  redirect: (a) => expect([a.status, a.header("location")]).toEqual([307, expect.stringContaining("gpu-7")]),
  "not-sse": (a) => expect([a.status, a.header("content-type")]).toEqual([200, "text/html"]),
  "not-sse?as=json": (a) => expect(a.header("content-type")).toBe("application/json"),
  "no-type": (a) => expect([a.header("content-type"), a.text.endsWith(LAST)]).toEqual([undefined, true]),
  "empty-200": (a) => expect([a.status, a.text, a.ended]).toEqual([200, "", "complete"]),
  gzip(a) {
    expect(a.header("content-encoding")).toBe("gzip");
    expect(gunzipSync(a.body).toString().endsWith(LAST)).toBe(true);
  },
  "huge-head": (a) => expect(JSON.stringify(a.headers).length).toBeGreaterThan(65_000),
};
