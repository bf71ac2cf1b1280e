import type { JsonObject } from "../json.ts";
import type { DialectName } from "../model.ts";
import { schema } from "./python-refusals.ts";
import type { Refusal } from "./rule.ts";
import { json } from "./rust-refusals.ts";

/** The refusal of the first field that is needed and not there. */
export function missingField(
  body: JsonObject,
  text: string,
  dialect: DialectName,
  needs: readonly string[],
): Refusal | undefined {
  const field = needs.find((name) => body[name] === undefined);
  if (field === undefined) return undefined;
  return dialect === "python"
    ? schema("missing", field, "Field required", body)
    : json(`missing field \`${field}\``, { text });
}
