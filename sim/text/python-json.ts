import { isObject, type Json } from "../json.ts";

/** JSON with Python's default spacing: `{"a": 1, "b": [2, 3]}`. */
export function pythonJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonJson(item)}`);
  return `{${entries.join(", ")}}`;
}
