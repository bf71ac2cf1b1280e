/** Every table of `faults.json` with its rows. */
import type { Rows } from "../support/row.ts";
import { rows as beforeTheHead } from "./before-the-head.ts";
import { rows as firstFrames } from "./first-frames.ts";
import { rows as midStream } from "./mid-stream.ts";
import { rows as theClient } from "./the-client.ts";
import { rows as theEnd } from "./the-end.ts";
import { rows as toolCalls } from "./tool-calls.ts";
import { rows as wholeAnswers } from "./whole-answers.ts";

export const TABLES: Readonly<Record<string, Rows>> = {
  "Before the head": beforeTheHead,
  "First frames": firstFrames,
  "Mid-stream": midStream,
  "The end": theEnd,
  "Tool calls": toolCalls,
  "The client": theClient,
  "Whole (non-streaming) answers": wholeAnswers,
};
