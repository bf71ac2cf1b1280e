import { chat } from "./chat/index.ts";
import { completions } from "./completions/index.ts";
import { generate } from "./generate/index.ts";
import { countTokens, messages } from "./messages/index.ts";
import { relays } from "./relay/index.ts";
import type { Operation } from "./protocol.ts";

/** Every operation there is. A new one is a folder beside this file, and a line here. */
export const operations: readonly Operation[] = [chat, completions, generate, messages, countTokens, ...relays];
