/** What the answer is to be like: the effort put into it, and the schema that it keeps to. */
import type { JsonObject } from "../../../core/json/object.ts";
import { broken, needObject, readObject } from "./fields.ts";

/** The highest two are known to the newest vLLM and to few templates. */
const EFFORTS = new Map<unknown, string>([
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "high"],
  ["max", "high"],
]);

export interface Output {
  /** In chat's form; `undefined` where the client leaves it open. */
  readonly response_format: object | undefined;
  readonly reasoning_effort: string | undefined;
}

export function readOutput(request: JsonObject): Output {
  const config = readObject(request, "output_config", "") ?? {};
  const effort = config["effort"] ?? undefined;
  if (effort !== undefined && !EFFORTS.has(effort)) {
    throw broken("output_config", "effort", 'must be "low", "medium", "high", "xhigh" or "max"');
  }
  const format = readFormat(config, "format", "output_config");
  // Where a beta had the format.
  const older = readFormat(request, "output_format", "");
  return { response_format: format ?? older, reasoning_effort: EFFORTS.get(effort) };
}

function readFormat(holder: JsonObject, field: string, param: string): object | undefined {
  const format = readObject(holder, field, param);
  if (!format) return undefined;
  const place = param === "" ? field : `${param}.${field}`;
  if (format["type"] !== "json_schema") throw broken(place, "type", 'must be "json_schema"');
  const schema = needObject(format, "schema", place);
  // Chat wants a name, this protocol has none. It promises that the schema is kept to, which is what strict says.
  return { type: "json_schema", json_schema: { name: "answer", schema, strict: true } };
}
