import { numberAt, objectAt } from "../json.ts";
import { VOCABULARY } from "../text/pieces.ts";
import { manyLogprobs } from "./python-both.ts";
import { plain, bad, late } from "./python-refusals.ts";
import type { Rule } from "./rule.ts";
import { unknownType } from "./schema-types.ts";

/** What only the engine knows: the head of a stream is out by then. */
export const ENGINE: readonly Rule[] = [
  (body) => {
    const ids = Object.keys(objectAt(body, "logit_bias") ?? {}).filter((key) => Number(key) >= VOCABULARY);
    const says = `token_id(s) [${ids.join(", ")}] in logit_bias contain out-of-vocab token ids. Vocabulary size: ${VOCABULARY}`;
    return ids.length > 0 ? late(bad(says, "logit_bias", `[${ids.join(", ")}]`)) : undefined;
  },
  (body) => {
    const top = numberAt(body, "top_logprobs") ?? 0;
    return manyLogprobs(top === -1 ? VOCABULARY : top);
  },
  (body) => {
    const wrong = unknownType(objectAt(objectAt(objectAt(body, "response_format"), "json_schema"), "schema"));
    return wrong === undefined ? undefined : late(plain(`Grammar error: Invalid type: ${wrong}`));
  },
  (body) =>
    body["echo"] === true && body["continue_final_message"] === true
      ? {
          ...plain(
            "1 validation error for DeltaMessage\ncontent\n  Input should be a valid string [type=string_type, input_value=[{'type': 'text', 'text': 'There will be'}], input_type=list]\n    For further information visit https://errors.pydantic.dev/2.14/v/string_type",
          ),
          when: "after-role",
        }
      : undefined,
];
