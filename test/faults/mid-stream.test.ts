import { rows } from "./rows/mid-stream.ts";
import { playRows } from "./support/play.ts";

playRows("Mid-stream", rows);
