import type { Rows } from "../support/row.ts";
import { ALL, NORMAL, OTHER, THREE, USAGE } from "./plain.ts";
import { rows as finishes } from "./the-end-finishes.ts";
import { rows as usages } from "./the-end-usage.ts";

/** Rust has one choice only. */
const TWO = { request: { n: 2 }, dialects: ["python"] } as const;
const WITH_USAGE = ["role", "text", "finish stop", "usage", "done"];

export const rows: Rows = {
  "no-done": [
    { it: "the client gets the terminator", gets: NORMAL },
    { it: "the client gets usage and terminator", request: USAGE, gets: { frames: WITH_USAGE, text: ALL } },
  ],
  "no-done-open": [
    { it: "the client gets the terminator, and the origin is freed", gets: NORMAL, origin: ["closed"] },
    {
      it: "the client gets a usage that says it is estimated, and the terminator",
      request: USAGE,
      gets: { frames: WITH_USAGE, text: ALL, usage: { estimated: true } },
      origin: ["closed"],
    },
  ],
  "one-of-two-cut": [
    {
      it: "the client is told that the answer was cut",
      ...TWO,
      gets: {
        frames: ["role", "role #1", "text", "text #1", "finish stop", "error origin_cut", "done"],
        text: ALL,
        otherText: OTHER,
        error: { code: "origin_cut" },
      },
    },
  ],
  "two-done": [{ it: "the client gets one terminator", gets: NORMAL }],
  "after-done": [{ it: "the client gets nothing after the terminator", gets: NORMAL }],
  "finish-early": [{ it: "the client gets nothing after the finish", gets: { ...NORMAL, text: THREE } }],
  "one-of-two": [
    {
      it: "the other choice gets a finish",
      ...TWO,
      gets: {
        frames: ["role", "role #1", "text", "text #1", "finish stop", "finish stop #1", "done"],
        text: ALL,
        otherText: OTHER,
      },
    },
  ],
  ...finishes,
  ...usages,
};
