/** Reads one field of a block, a tool or a message, and refuses what is not of its type. `param` names the holder. */
import { isObject, type JsonObject } from "../../../core/json/object.ts";
import { refuse } from "../../../vllm/rules.ts";

/** Returns the string, or `undefined` where the field is absent or `null`. */
export function readString(holder: JsonObject, field: string, param: string): string | undefined {
  const value = holder[field] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw broken(param, field, "must be a string");
}

/** Returns the string, which may be empty. */
export function needString(holder: JsonObject, field: string, param: string): string {
  const value = holder[field];
  if (typeof value === "string") return value;
  throw broken(param, field, "must be a string");
}

/** Returns the string, which is not empty. */
export function needName(holder: JsonObject, field: string, param: string): string {
  const value = holder[field];
  if (typeof value === "string" && value !== "") return value;
  throw broken(param, field, "must be a string that is not empty");
}

/** Returns the object, or `undefined` where the field is absent or `null`. */
export function readObject(holder: JsonObject, field: string, param: string): JsonObject | undefined {
  const value = holder[field] ?? undefined;
  if (value === undefined || isObject(value)) return value;
  throw broken(param, field, "must be an object");
}

export function needObject(holder: JsonObject, field: string, param: string): JsonObject {
  const value = holder[field];
  if (isObject(value)) return value;
  throw broken(param, field, "must be an object");
}

/** Returns true or false, or `undefined` where the field is absent or `null`. */
export function readFlag(holder: JsonObject, field: string, param: string): boolean | undefined {
  const value = holder[field] ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  throw broken(param, field, "must be true or false");
}

/** Returns the list, empty where the field is absent or `null`. */
export function readList(holder: JsonObject, field: string, param: string): readonly unknown[] {
  const value = holder[field] ?? [];
  if (Array.isArray(value)) return value;
  throw broken(param, field, "must be a list");
}

/** Returns the refusal of a field; the `rule` is a clause such as "must be a string". */
export function broken(param: string, field: string, rule: string) {
  const path = param === "" ? field : `${param}.${field}`;
  return refuse(path, `"${path}" ${rule}.`);
}
