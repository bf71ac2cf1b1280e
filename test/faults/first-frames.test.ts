import { rows } from "./rows/first-frames.ts";
import { playRows } from "./support/play.ts";

playRows("First frames", rows);
