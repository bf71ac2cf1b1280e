import type { GeneratingName } from "../engine/operation.ts";
import { COMPLETIONS } from "./rust-completions.ts";
import { FIELDS } from "./rust-fields.ts";
import { GENERATE } from "./rust-generate.ts";
import { CHAT_READING, READING } from "./rust-json.ts";
import { SERVER } from "./rust-server.ts";
import type { Rule } from "./rule.ts";

/** What the Rust front end refuses, in the order in which it looks. Wording as recorded. */
export const RUST_RULES: Readonly<Record<GeneratingName, readonly Rule[]>> = {
  chat: [...CHAT_READING, ...READING, ...FIELDS, ...SERVER],
  completions: COMPLETIONS,
  generate: GENERATE,
};
