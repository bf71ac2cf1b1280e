/** Whole numbers beyond what a number holds exactly: a seed, an account in a tool's input. They arrive digit for digit. */
import { memberText, RawJson, type Edits } from "../../../core/json/edit.ts";
import { isObject, type JsonObject } from "../../../core/json/object.ts";
import type { JsonBody } from "../../read-json.ts";

/** Fewer digits than this every number can hold. */
const LONG_NUMBER = /\d{16}/;

/**
 * Returns the request, in which numbers inside its members that would lose digits are values that `JSON.stringify`
 * writes as they stood. Its own numbers stay what they are, since there are rules for them.
 */
export function keepInnerDigits({ text, json }: JsonBody): JsonObject {
  if (!LONG_NUMBER.test(text)) return json;
  const exact: unknown = JSON.parse(text, keepDigits);
  if (!isObject(exact)) return json;
  return { ...exact, ...Object.fromEntries(Object.entries(json).filter(([, value]) => typeof value === "number")) };
}

/** Returns the edits that give those of `fields` their digits back which are numbers of the request's own. */
export function restoreDigits(text: string, chat: JsonObject, fields: readonly string[]): Edits {
  const lossy = fields.filter((field) => typeof chat[field] === "number" && !isExact(chat[field]));
  return Object.fromEntries(lossy.map((field) => [field, new RawJson(memberText(text, field) ?? "null")]));
}

/** A reviver gets the text of a number too; the compiler's library does not know that yet, nor `JSON.rawJSON`. */
function keepDigits(_key: string, value: unknown, ...[context]: readonly unknown[]): unknown {
  if (typeof value !== "number" || isExact(value) || !isObject(context)) return value;
  const { source } = context;
  return typeof source === "string" && /^-?\d+$/.test(source) ? rawJson(source) : value;
}

function rawJson(text: string): unknown {
  const make: unknown = Reflect.get(JSON, "rawJSON");
  return typeof make === "function" ? make(text) : Number(text);
}

function isExact(value: unknown): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}
