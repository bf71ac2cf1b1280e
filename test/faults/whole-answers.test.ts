import { rows } from "./rows/whole-answers.ts";
import { playRows } from "./support/play.ts";

playRows("Whole (non-streaming) answers", rows);
