/** Reading JSON of which nothing is certain. */

/** Returns the value that `text` is, `undefined` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the member `name` of `value`, `undefined` where there is none. */
export function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the member `name` of `value` if it is text. */
export function textAt(value: unknown, name: string): string | undefined {
  const text = at(value, name);
  return typeof text === "string" ? text : undefined;
}
