import { FIELDS } from "./rust-fields.ts";
import { READING } from "./rust-json.ts";
import { SERVER } from "./rust-server.ts";
import type { Rule } from "./rule.ts";

/** What the Rust front end refuses, in the order in which it looks. Wording as recorded. */
export const RUST_RULES: readonly Rule[] = [...READING, ...FIELDS, ...SERVER];
