import { ENGINE } from "./python-engine.ts";
import { FIELDS } from "./python-fields.ts";
import { SAMPLING } from "./python-sampling.ts";
import { SCHEMA } from "./python-schema.ts";
import { SERVER } from "./python-server.ts";
import type { Rule } from "./rule.ts";

/** What the Python server refuses, in the order in which it looks. Wording as recorded. */
export const PYTHON_RULES: readonly Rule[] = [...SCHEMA, ...FIELDS, ...SERVER, ...SAMPLING, ...ENGINE];
