import { PROMPT, TEXTUAL } from "../support/operations.ts";
import type { Rows, StreamResponse } from "../support/row.ts";
import { ALL, NORMAL, OTHER, OTHER_IDS, THREE, USAGE } from "./plain.ts";
import { rows as finishes } from "./the-end-finishes.ts";
import { rows as usages } from "./the-end-usage.ts";

/** Rust has one choice only. */
const TWO = { request: { n: 2 }, dialects: ["python"] } as const;
const TWO_PROMPTS = { request: { prompt: [PROMPT, PROMPT] }, dialects: ["python"], in: ["completions"] } as const;
const STARTS = ["role", "role #1", "text", "text #1", "finish stop"];
const ONE_CUT: StreamResponse = {
  frames: [...STARTS, "error origin_cut", "done"],
  text: ALL,
  otherText: OTHER,
  error: { code: "origin_cut" },
};
const BOTH: StreamResponse = { frames: [...STARTS, "finish stop #1", "done"], text: ALL, otherText: OTHER };
const WITH_USAGE = ["role", "text", "finish stop", "usage", "done"];

export const rows: Rows = {
  "no-done": [
    { it: "the client gets the terminator", gets: NORMAL },
    { it: "the client gets usage and terminator", request: USAGE, gets: { frames: WITH_USAGE, text: ALL } },
  ],
  "no-done-open": [
    { it: "the client gets the terminator, and the origin is freed", gets: NORMAL, origin: ["closed"] },
    {
      it: "the client gets a usage counted by the ids, and the terminator",
      in: ["generate"],
      request: USAGE,
      gets: { frames: WITH_USAGE, text: ALL, usage: "counted" },
      origin: ["closed"],
    },
    {
      it: "the client gets a usage that says it is estimated, and the terminator",
      in: TEXTUAL,
      request: USAGE,
      gets: { frames: WITH_USAGE, text: ALL, usage: { estimated: true } },
      origin: ["closed"],
    },
  ],
  "one-of-two-cut": [
    { it: "the client is told that the answer was cut", ...TWO, in: TEXTUAL, gets: ONE_CUT },
    {
      it: "the client is told that the answer was cut",
      ...TWO,
      in: ["generate"],
      gets: { ...ONE_CUT, otherText: OTHER_IDS },
    },
    { it: "of two prompts too, the client is told that one was cut", ...TWO_PROMPTS, gets: ONE_CUT },
  ],
  "two-done": [{ it: "the client gets one terminator", gets: NORMAL }],
  "after-done": [{ it: "the client gets nothing after the terminator", gets: NORMAL }],
  "finish-early": [{ it: "the client gets nothing after the finish", gets: { ...NORMAL, text: THREE } }],
  "one-of-two": [
    { it: "the other choice gets a finish", ...TWO, in: TEXTUAL, gets: BOTH },
    { it: "the other choice was cut", ...TWO, in: ["generate"], gets: { ...ONE_CUT, otherText: OTHER_IDS } },
    { it: "the other prompt's choice gets a finish", ...TWO_PROMPTS, gets: BOTH },
  ],
  ...finishes,
  ...usages,
};
