import { expect } from "vitest";
import { OPENAI, TEXTUAL } from "../support/operations.ts";
import type { Rows, StreamResponse } from "../support/row.ts";
import type { AnswerStream } from "../support/stream.ts";
import { ALL, NORMAL, NORMAL_WHOLE, USAGE } from "./plain.ts";

const WITH_USAGE: StreamResponse = { frames: ["role", "text", "finish stop", "usage", "done"], text: ALL };
const CONTINUOUS = { stream_options: { include_usage: true, continuous_usage_stats: true } };

export const rows: Rows = {
  "no-usage": [
    {
      it: "the client gets the last of the continuous usage",
      request: CONTINUOUS,
      gets: { ...WITH_USAGE, usage: "counted" },
    },
    {
      it: "the client gets the tokens counted by their ids",
      in: ["chat"],
      request: { ...USAGE, return_token_ids: true },
      dialects: ["python"],
      gets: { ...WITH_USAGE, usage: "counted" },
    },
    {
      it: "the client gets the tokens counted by their ids, where the last comes in a frame of its own",
      in: ["chat"],
      request: { ...USAGE, return_token_ids: true },
      dialects: ["rust"],
      gets: { frames: ["role", "text", "ids", "finish stop", "usage", "done"], text: ALL, usage: "counted" },
    },
    {
      it: "the client gets the tokens counted, by the ids of prompt and answer",
      in: ["generate"],
      request: USAGE,
      gets: { ...WITH_USAGE, usage: "counted" },
    },
    {
      it: "the client gets an estimate that says so",
      in: TEXTUAL,
      request: USAGE,
      gets: { ...WITH_USAGE, usage: { estimated: true } },
    },
    { it: "a client that did not ask gets none", gets: NORMAL },
    {
      it: "a whole answer gets an estimate that says so",
      in: TEXTUAL,
      whole: true,
      gets: { ...NORMAL_WHOLE, usage: { estimated: true } },
    },
  ],
  "usage-twice": [
    { it: "the client gets it once", request: USAGE, gets: { ...WITH_USAGE, usage: "counted" } },
    { it: "a client that did not ask gets none", gets: NORMAL },
  ],
  "usage-early": [
    { it: "the client gets it last", request: USAGE, gets: { ...WITH_USAGE, usage: "counted" } },
    { it: "a client that did not ask gets none", gets: NORMAL },
  ],
  "usage-everywhere": [
    { it: "a client that did not ask gets none", gets: NORMAL },
    {
      it: "a client that asked gets it at the end alone",
      request: USAGE,
      gets: { ...WITH_USAGE, usage: "counted", also: (stream: AnswerStream) => expect(stream.chunksWithUsage).toBe(0) },
    },
    {
      it: "a client that asked for it on every chunk gets it there too",
      in: OPENAI,
      request: CONTINUOUS,
      gets: {
        ...WITH_USAGE,
        usage: "counted",
        also: (stream: AnswerStream) => expect(stream.chunksWithUsage).toBeGreaterThan(5),
      },
    },
  ],
  "usage-nonsense": [
    {
      it: "the client gets the last of the continuous usage",
      in: ["messages"],
      gets: { ...NORMAL, usage: "counted" },
    },
    {
      it: "the client gets the tokens counted, by the ids of prompt and answer",
      in: ["generate"],
      request: USAGE,
      gets: { ...WITH_USAGE, usage: "counted" },
    },
    {
      it: "the client gets an estimate that says so",
      in: TEXTUAL,
      request: USAGE,
      gets: { ...WITH_USAGE, usage: { estimated: true } },
    },
    {
      it: "a whole answer gets an estimate that says so",
      in: TEXTUAL,
      whole: true,
      gets: { ...NORMAL_WHOLE, usage: { estimated: true } },
    },
  ],
};
