import type { Case, Dialect, Rows } from "../support/row.ts";
import { NORMAL, NORMAL_WHOLE } from "./plain.ts";

const LOGPROBS = { code: "invalid_request", param: "logprobs" };
/** In each dialect's own words. */
const REFUSED = {
  python: { ...LOGPROBS, message: "Requested sample logprobs of 100, which is greater than max allowed: 20" },
  rust: { ...LOGPROBS, message: "requested logprobs of 100, which is greater than max allowed: 20" },
};
const FAILED = { status: 500, error: { code: "origin_error" }, retry: "true" } as const;

export const rows: Rows = {
  "error-first": (["python", "rust"] as const).flatMap(refusedAtFirst),
  "error-first-500": [
    { it: "the client gets the inner status", gets: FAILED, origin: "either" },
    { it: "the client gets the inner status", whole: true, gets: FAILED },
    {
      it: "an origin that is overloaded is known as such",
      switches: "status=503",
      // Rust's events know of no such status.
      dialects: ["python"],
      gets: { status: 503, error: { code: "origin_unavailable" }, retry: "true", retryAfter: 1 },
      origin: "either",
    },
  ],
  "role-then-error": [
    { it: "the client gets the inner status, as if there had been no role", gets: FAILED, origin: "either" },
    { it: "the client gets the inner status", whole: true, gets: FAILED },
    {
      it: "the client gets 400 where the origin says 400",
      switches: "status=400",
      dialects: ["python"],
      gets: { status: 400, error: REFUSED.python, retry: "false" },
      origin: "either",
    },
    {
      it: "after the hold the error is in the stream",
      on: "lively",
      switches: "prefill_ms=600",
      gets: { frames: ["role", "error origin_error", "done"], error: { code: "origin_error" }, keepalives: true },
      origin: "either",
    },
  ],
  "done-only": [
    {
      it: "the client does not get an empty answer",
      gets: { status: 502, error: { code: "origin_protocol" }, retry: "false" },
      origin: "either",
    },
  ],
  "comments-first": [
    {
      it: "the client gets our keep-alives and none of the comments, then the tokens",
      on: "lively",
      gets: { ...NORMAL, keepalives: true },
    },
    {
      it: "comments are no progress: the request times out, and the origin is freed",
      on: "hasty",
      switches: "prefill_ms=60000",
      gets: { frames: ["error origin_timeout", "done"], error: { code: "origin_timeout" }, keepalives: true },
      origin: ["closed"],
    },
    { it: "a whole answer is as it should be", whole: true, gets: NORMAL_WHOLE },
  ],
  "no-role": [{ it: "the client gets the role first", gets: NORMAL }],
  "two-roles": [{ it: "the client gets one role", gets: NORMAL }],
  "late-role": [{ it: "the client gets the role first", gets: NORMAL }],
};

function refusedAtFirst(dialect: Dialect): Case[] {
  const status = { status: 400, error: REFUSED[dialect], retry: "false" } as const;
  const held = { it: "the client gets the inner status while the head is held", dialects: [dialect], gets: status };
  return [
    { ...held, origin: "either" },
    { ...held, whole: true },
    {
      it: "after the hold the error is in the stream",
      on: "lively",
      switches: "prefill_ms=600",
      dialects: [dialect],
      gets: { frames: ["error invalid_request", "done"], error: REFUSED[dialect], keepalives: true },
      origin: "either",
    },
  ];
}
