import { chat } from "./chat/index.ts";
import type { Operation } from "./protocol.ts";

/** Every operation there is. A new one is a folder beside this file, and a line here. */
export const operations: readonly Operation[] = [chat];
