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
  const exact: unknown = JSON.parse(text, keepDigits as Reviver);
  if (!isObject(exact)) return json;
  return { ...exact, ...Object.fromEntries(Object.entries(json).filter(([, value]) => typeof value === "number")) };
}

/** Returns the edits that give those of `fields` their digits back which are numbers of the request's own. */
export function restoreDigits(text: string, chat: JsonObject, fields: readonly string[]): Edits {
  const lossy = fields.filter((field) => typeof chat[field] === "number" && !isExact(chat[field]));
  return Object.fromEntries(lossy.map((field) => [field, new RawJson(memberText(text, field) ?? "null")]));
}

type Reviver = (key: string, value: unknown) => unknown;

function keepDigits(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  const whole = typeof value === "number" && source !== undefined && /^-?\d+$/.test(source);
  return whole && !isExact(value) ? rawJson(source) : value;
}

function isExact(value: unknown): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

/** The compiler's library does not have it yet. */
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => object };
