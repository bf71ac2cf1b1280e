import { listAt, numberAt, objectAt, stringAt } from "../json.ts";
import { schema } from "./python-refusals.ts";
import type { Rule } from "./rule.ts";

/** Chat's schema. */
export const CHAT_SCHEMA: readonly Rule[] = [
  (body) => (body["messages"] === undefined ? schema("missing", "messages", "Field required", body) : undefined),
];

/** What the schema refuses in a chat and in a completions body, before anything else is looked at. */
export const SCHEMA: readonly Rule[] = [
  (body) => {
    const value = body["temperature"];
    if (typeof value !== "string" || Number.isFinite(Number(value))) return undefined;
    const says = "Input should be a valid number, unable to parse string as a number";
    return schema("float_parsing", "temperature", says, value);
  },
  (body) =>
    typeof body["stream"] === "string"
      ? schema("bool_parsing", "stream", "Input should be a valid boolean, unable to interpret input", body["stream"])
      : undefined,
  (body) => {
    const seed = numberAt(body, "seed");
    if (seed === undefined || seed <= 2 ** 63) return undefined;
    return schema(
      "less_than_equal",
      "seed",
      "Input should be less than or equal to 9223372036854775807",
      String(BigInt(seed)),
    );
  },
  (body) => {
    const count = listAt(body, "stop").length;
    if (count <= 4) return undefined;
    return schema("too_long", "stop", `List should have at most 4 items after validation, not ${count}`, body["stop"]);
  },
  (body) => {
    const type = stringAt(objectAt(body, "response_format"), "type");
    if (type === undefined || ["text", "json_object", "json_schema", "structural_tag"].includes(type)) return undefined;
    const says = "Input should be 'text', 'json_object' or 'json_schema'";
    return schema("literal_error", "response_format.type", says, type);
  },
];
