import { numberAt, type JsonObject } from "../json.ts";
import type { Refusal, RuleRequest } from "./rule.ts";

/** A refusal, with the parameter where the server names one. */
export function plain(message: string, param?: string): Refusal {
  return { status: 400, message, ...(param === undefined ? {} : { param }) };
}

/** A validator's refusal of a field. */
export function field(name: string, says: string, value: string): Refusal {
  return plain(`${name}: Validation error: ${says} [{"value": ${value}}]`);
}

/** A number out of its range. */
export function range(
  body: JsonObject,
  name: string,
  min: number,
  max: number,
  kind: "float" | "integer",
): Refusal | undefined {
  const value = numberAt(body, name);
  if (value === undefined || (value >= min && value <= max)) return undefined;
  const show = kind === "float" ? float : String;
  const details = `{"value": Number(${show(value)}), "min": Number(${show(min)}), "max": Number(${show(max)})}`;
  return plain(`${name}: Validation error: range [${details}]`);
}

/** A number as Rust prints a float. */
export function float(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
}

/** A refusal while the JSON is read. */
export function json(says: string, { text }: Pick<RuleRequest, "text">): Refusal {
  const message = `Failed to deserialize the JSON body into the target type: ${says} at line 1 column ${text.length}`;
  return { status: 400, message, code: "json_parse_error" };
}
