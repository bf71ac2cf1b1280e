export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether `value`, as `JSON.parse` gave it, is an object and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object in a JSON text, or `undefined` when the text is not JSON or holds something else. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
