/** A JSON value as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** True for `{…}`, false for arrays, null and scalars. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object at `key`, or undefined where there is none. */
export function objectAt(from: Json | undefined, key: string): JsonObject | undefined {
  const value = isObject(from) ? from[key] : undefined;
  return isObject(value) ? value : undefined;
}

/** The string at `key`, or undefined where there is none. */
export function stringAt(from: Json | undefined, key: string): string | undefined {
  const value = isObject(from) ? from[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** The number at `key`, or undefined where there is none. */
export function numberAt(from: Json | undefined, key: string): number | undefined {
  const value = isObject(from) ? from[key] : undefined;
  return typeof value === "number" ? value : undefined;
}

/** The array at `key`, empty where there is none. */
export function listAt(from: Json | undefined, key: string): Json[] {
  const value = isObject(from) ? from[key] : undefined;
  return Array.isArray(value) ? value : [];
}

/** The value that a JSON text stands for. Throws on a broken text. */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

/** The object without some of its keys, the others in their order. */
export function omit(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** The objects in the array at `key`, anything else in it left out. */
export function objectsAt(from: Json | undefined, key: string): JsonObject[] {
  return listAt(from, key).filter(isObject);
}
