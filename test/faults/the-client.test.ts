import { rows } from "./rows/the-client.ts";
import { playRows } from "./support/play.ts";

playRows("The client", rows);
