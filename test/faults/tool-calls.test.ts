import { rows } from "./rows/tool-calls.ts";
import { playRows } from "./support/play.ts";

playRows("Tool calls", rows);
