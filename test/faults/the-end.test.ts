import { rows } from "./rows/the-end.ts";
import { playRows } from "./support/play.ts";

playRows("The end", rows);
