import { expect } from "vitest";
import { OPENAI, TELLING } from "../support/operations.ts";
import type { Rows } from "../support/row.ts";
import type { AnswerStream } from "../support/stream.ts";
import { ALL, NORMAL, THREE } from "./plain.ts";
import { CALLING, WEATHER } from "./tools.ts";

const FAILED = { frames: ["role", "text", "error origin_error", "done"], text: ALL, error: { code: "origin_error" } };
const FAILED_WHOLE = { status: 502, error: { code: "origin_error" }, retry: "true" } as const;

export const rows: Rows = {
  "no-finish": [
    { it: "the client gets a stop", in: TELLING, gets: NORMAL },
    {
      it: "the client is told that the answer was cut",
      in: ["generate"],
      gets: { frames: ["text", "error origin_cut", "done"], text: ALL, error: { code: "origin_cut" } },
    },
    {
      it: "the client gets length where the tokens have reached the limit",
      in: TELLING,
      request: { max_tokens: 3 },
      gets: { frames: ["role", "text", "finish length", "done"], text: THREE },
    },
    {
      it: "the newer name of the limit goes first",
      in: ["chat"],
      request: { max_completion_tokens: 3, max_tokens: 4_000 },
      gets: { frames: ["role", "text", "finish length", "done"], text: THREE },
    },
    {
      it: "the client gets tool_calls after a call",
      in: ["chat", "messages"],
      request: CALLING,
      gets: { frames: ["role", "call 0 get_weather", "args 0", "finish tool_calls", "done"], calls: [WEATHER] },
    },
  ],
  "two-finishes": [{ it: "the client gets one finish", gets: NORMAL }],
  "finish-with-text": [
    { it: "the client gets text and finish apart", gets: NORMAL },
    {
      it: "the log-probabilities stay with the text",
      in: ["chat"],
      request: { logprobs: true },
      dialects: ["python"],
      gets: {
        ...NORMAL,
        also: (stream: AnswerStream) => {
          // Six words; the end mark's own is lost by the simulation.
          expect(stream.logprobs()).toBe(6);
          expect(stream.choices().at(-1)?.logprobs ?? null).toBeNull();
        },
      },
    },
    {
      it: "the client gets a call's last fragment and the finish apart",
      in: ["chat", "messages"],
      request: CALLING,
      gets: { frames: ["role", "call 0 get_weather", "args 0", "finish tool_calls", "done"], calls: [WEATHER] },
    },
  ],
  "finish-empty": [
    {
      it: "the client gets null for it",
      gets: {
        ...NORMAL,
        also: (stream: AnswerStream) =>
          expect(stream.choices().filter((choice) => choice.finish_reason === "")).toEqual([]),
      },
    },
  ],
  "finish-abort": [
    { it: "the client is told that the origin gave up", in: TELLING, gets: FAILED, origin: "either" },
    { it: "the client is told that the origin gave up", in: TELLING, whole: true, gets: FAILED_WHOLE },
    { it: "the client gets it", in: ["generate"], gets: { frames: ["text", "finish abort", "done"], text: ALL } },
    { it: "the client gets it", in: ["generate"], whole: true, gets: { answer: { finish: "abort", text: ALL } } },
  ],
  "finish-error": [
    { it: "the client is told that the origin gave up", in: TELLING, gets: FAILED, origin: "either" },
    { it: "the client is told that the origin gave up", in: TELLING, whole: true, gets: FAILED_WHOLE },
    { it: "the client gets it", in: ["generate"], gets: { frames: ["text", "finish error", "done"], text: ALL } },
    { it: "the client gets it", in: ["generate"], whole: true, gets: { answer: { finish: "error", text: ALL } } },
  ],
  "finish-repetition": [
    {
      it: "the client gets it",
      in: OPENAI,
      gets: { frames: ["role", "text", "finish repetition", "done"], text: ALL },
    },
    { it: "the client gets it", in: OPENAI, whole: true, gets: { answer: { finish: "repetition", text: ALL } } },
    {
      it: "a client with a closed list of reasons gets that of the limit",
      in: ["messages"],
      gets: { frames: ["role", "text", "finish length", "done"], text: ALL },
    },
  ],
  "finish-new": [
    { it: "the client gets it", in: OPENAI, gets: { frames: ["role", "text", "finish moonrise", "done"], text: ALL } },
    { it: "the client gets it", in: OPENAI, whole: true, gets: { answer: { finish: "moonrise", text: ALL } } },
    { it: "a client with a closed list of reasons gets that of a stop", in: ["messages"], gets: NORMAL },
  ],
};
