import { rows } from "./rows/before-the-head.ts";
import { playRows } from "./support/play.ts";

playRows("Before the head", rows);
