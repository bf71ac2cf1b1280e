import { expect } from "vitest";
import { TELLING } from "../support/operations.ts";
import type { AskedCase, ErrorResponse, Rows } from "../support/row.ts";
import { NORMAL, NORMAL_WHOLE } from "./plain.ts";

/** The same refusal of a stream and of a whole answer. */
function refused(it: string, gets: ErrorResponse, more: Partial<AskedCase> = {}): AskedCase[] {
  return [
    { it, gets, ...more },
    { it, gets, whole: true, ...more },
  ];
}

/** The normal answer, streamed and whole. */
function answered(it: string, more: Partial<AskedCase> = {}): AskedCase[] {
  return [
    { it, gets: NORMAL, ...more },
    { it, gets: NORMAL_WHOLE, whole: true, ...more },
  ];
}

const UNREACHABLE: ErrorResponse = { status: 502, error: { code: "origin_unreachable" }, retry: "true" };
const PROTOCOL: ErrorResponse = { status: 502, error: { code: "origin_protocol" }, retry: "false" };
const AUTH: ErrorResponse = { status: 502, error: { code: "origin_auth" }, retry: "false" };
const NOT_SUPPORTED: ErrorResponse = { status: 501, error: { code: "not_supported_by_origin" }, retry: "false" };

function switchedOff(message: string): ErrorResponse {
  return { status: 501, error: { code: "not_supported_by_origin", message }, retry: "false" };
}

/** An origin that nobody asks for its dialect. */
const ONCE = { dialects: ["python"] } as const;

export const rows: Rows = {
  refused: refused("the client is told that the origin cannot be reached", UNREACHABLE, {
    on: "nowhere",
    origin: [],
    ...ONCE,
  }),
  "hang-up": refused("the client is told after one retry", UNREACHABLE, { origin: ["finished", "finished"] }),
  "hang-up-once": [
    ...answered("the client gets the normal answer, by one retry", { origin: ["finished", "finished"] }),
    ...answered("the retry goes to another origin if there is one", { on: "pair" }),
    ...refused("nothing is retried after a second", UNREACHABLE, { switches: "head_ms=1300", ...ONCE }),
  ],
  silent: [
    {
      it: "the client gets keep-alives, then an error in the stream, and the origin is freed",
      on: "hasty",
      gets: { frames: ["error origin_timeout", "done"], error: { code: "origin_timeout" }, keepalives: true },
      origin: ["closed"],
    },
    {
      it: "the client gets 504, and the origin is freed",
      on: "hasty",
      whole: true,
      gets: { status: 504, error: { code: "origin_timeout" }, retry: "false" },
      origin: ["closed"],
    },
  ],
  "slow-head": [
    { it: "the client gets keep-alives, then the normal answer", on: "lively", gets: { ...NORMAL, keepalives: true } },
    { it: "the client gets the normal answer", on: "lively", whole: true, gets: NORMAL_WHOLE },
  ],
  "error-python": refused(
    "the client reads vLLM's sentence without its wrappers",
    {
      status: 400,
      error: { code: "invalid_request", param: "temperature", message: "temperature must be non-negative, got -1.0." },
      retry: "false",
    },
    { dialects: ["python"] },
  ),
  "error-rust": refused(
    "the client reads the rule without its wrappers",
    {
      status: 400,
      error: { code: "invalid_request", param: "temperature", message: '"temperature" must be at least 0.' },
      retry: "false",
    },
    { dialects: ["rust"] },
  ),
  "error-string": ["as=json", "as=text"].flatMap((switches) =>
    refused(
      "the client gets 503 with the origin's own time to wait",
      { status: 503, error: { code: "origin_unavailable" }, retry: "true", retryAfter: 7 },
      { switches },
    ),
  ),
  "error-429": refused("the client gets 429 with what SDKs read", {
    status: 429,
    error: { code: "rate_limited" },
    retry: "true",
    retryAfter: 7,
  }),
  "error-401": [
    ...refused("the client is not told 401 for our key", AUTH),
    ...refused("a 403 that names no switch means the same", AUTH, { switches: "status=403" }),
  ],
  "error-404-empty": refused("the client is told that the origin cannot do this", NOT_SUPPORTED),
  "error-404-detail": refused("the client is told that the origin cannot do this", NOT_SUPPORTED),
  "error-403-switch": [
    ...refused(
      "the client is told which switch turns it on",
      switchedOff("The origin does not support this operation. vLLM's switch --enable-scale-out turns it on."),
      { in: [...TELLING, "count_tokens"] },
    ),
    ...refused(
      "the client is told which switch turns it on",
      switchedOff("The origin's vLLM was started without --enable-scale-out."),
      { in: ["generate"] },
    ),
  ],
  "error-52x": [
    ...refused("a CDN that waited too long is a timeout", {
      status: 504,
      error: { code: "origin_timeout" },
      retry: "false",
    }),
    ...[520, 521, 522, 523, 525, 526, 530].flatMap((status) =>
      refused("a CDN that got no answer means an origin that cannot be reached", UNREACHABLE, {
        switches: `status=${status}`,
        ...ONCE,
      }),
    ),
  ],
  "error-404-model": refused("the client is told that the model is not there", {
    status: 404,
    error: {
      code: "model_not_found",
      param: "model",
      message: expect.stringMatching(/^The model `sim.error-404-model.*` does not exist\.$/),
    },
    retry: "false",
  }),
  "error-html": refused("the client sees nothing of the page", {
    status: 502,
    error: { code: "origin_error" },
    retry: "true",
  }),
  "error-500-stack": refused("the client sees nothing of the trace", {
    status: 500,
    error: { code: "origin_error" },
    retry: "true",
  }),
  "error-503-dead": refused("the client gets 503 with a time to wait", {
    status: 503,
    error: { code: "origin_unavailable" },
    retry: "true",
    retryAfter: 1,
  }),
  redirect: refused("it is not followed, and its address not shown", PROTOCOL),
  "not-sse": [
    { it: "a page is not taken for a stream", gets: PROTOCOL },
    { it: "a JSON body is not taken for a stream", switches: "as=json", gets: PROTOCOL },
  ],
  "no-type": answered("the client gets the normal answer"),
  "empty-200": refused("the client does not get an empty answer", PROTOCOL),
  // Miniflare, like the edge, compresses JSON for a client that accepts it, but no stream.
  gzip: [
    { it: "the client gets the normal answer, uncompressed", headers: { "accept-encoding": "gzip, br" }, gets: NORMAL },
    { it: "the client gets the normal answer, uncompressed", whole: true, gets: NORMAL_WHOLE },
  ],
  "huge-head": answered("the client gets the normal answer, and none of the headers"),
};
