import type { GeneratingName } from "../engine/operation.ts";
import { COMPLETIONS } from "./python-completions.ts";
import { ENGINE } from "./python-engine.ts";
import { FIELDS } from "./python-fields.ts";
import { GENERATE } from "./python-generate.ts";
import { SAMPLING } from "./python-sampling.ts";
import { CHAT_SCHEMA, SCHEMA } from "./python-schema.ts";
import { SERVER } from "./python-server.ts";
import type { Rule } from "./rule.ts";

/** What the Python server refuses, in the order in which it looks. Wording as recorded. */
export const PYTHON_RULES: Readonly<Record<GeneratingName, readonly Rule[]>> = {
  chat: [...CHAT_SCHEMA, ...SCHEMA, ...FIELDS, ...SERVER, ...SAMPLING, ...ENGINE],
  completions: COMPLETIONS,
  generate: GENERATE,
};
