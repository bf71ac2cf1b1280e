import type { Rows, StreamResponse } from "../support/row.ts";
import { failsAfterThree, NORMAL } from "./plain.ts";
import { rows as contents } from "./mid-stream-contents.ts";

const CUT = failsAfterThree("origin_cut");
const CUT_WHOLE = { status: 502, error: { code: "origin_cut" }, retry: "true" } as const;
const FAILED_WHOLE = { status: 500, error: { code: "origin_error" }, retry: "true" } as const;
const STALLED: StreamResponse = { ...failsAfterThree("origin_timeout"), keepalives: true };

/** The origin goes on for seconds if nobody closes its request. */
const GOES_ON = "words=400&pace_ms=20";

export const rows: Rows = {
  "error-mid": [
    {
      it: "the client gets all tokens, the error and the end",
      gets: failsAfterThree("origin_error"),
      origin: "either",
    },
    {
      it: "the client's own mistake is told as such",
      switches: "status=400",
      gets: { frames: ["role", "text", "error invalid_request", "done"] },
      origin: "either",
    },
    { it: "a whole answer fails with its status", whole: true, gets: FAILED_WHOLE },
  ],
  "error-mid-open": [
    {
      it: "the client gets all tokens, the error and the end, and the origin is freed",
      gets: failsAfterThree("origin_error"),
      origin: ["closed"],
    },
  ],
  "eof-mid": [
    { it: "the client is told that the answer was cut", gets: CUT },
    { it: "the client is told that the answer was cut", whole: true, gets: CUT_WHOLE },
  ],
  "reset-mid": [
    { it: "the client is told that the answer was cut", gets: CUT },
    { it: "the client is told that the answer was cut", whole: true, gets: CUT_WHOLE },
  ],
  "half-frame": [{ it: "the client is told of the cut, and sees nothing of the half", gets: CUT }],
  "half-utf8": [{ it: "the client is told of the cut, and sees nothing of the half", gets: CUT }],
  "no-last-blank": [
    { it: "a terminator without its blank line counts", gets: NORMAL },
    { it: "a finish without its blank line counts, and the terminator is added", switches: "as=finish", gets: NORMAL },
  ],
  stall: [
    {
      it: "the client gets keep-alives, then the error, and the origin is freed",
      on: "hasty",
      gets: STALLED,
      origin: ["closed"],
    },
  ],
  "stall-comments": [
    {
      it: "comments are no progress: the client gets the error, and the origin is freed",
      on: "hasty",
      gets: STALLED,
      origin: ["closed"],
    },
  ],
  "bad-json": [
    {
      it: "the client gets the tokens so far and the error, and the origin is freed",
      switches: GOES_ON,
      gets: failsAfterThree("origin_protocol"),
      origin: ["closed"],
    },
  ],
  "huge-frame": [
    {
      it: "the client gets the tokens so far and the error, and the origin is freed before it has sent much",
      gets: failsAfterThree("origin_protocol"),
      origin: ["closed"],
      originBytes: 32_000_000,
    },
  ],
  ...contents,
};
