import { isObject, listAt, numberAt, objectAt, stringAt, type Json, type JsonObject } from "../json.ts";
import { stringFor } from "./schema-string.ts";

/**
 * A value that satisfies a JSON Schema, the same each time. Understood: `type` (one or several), `properties`,
 * `required`, `items`, `prefixItems`, `enum`, `const`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`,
 * `multipleOf`, `minLength`, `maxLength`, `minItems`, `maxItems`, `anyOf` and `oneOf` (their first branch), `allOf`,
 * `$ref` to `#…`, common `format`s; `default` and `examples` are preferred. Every other keyword is ignored, and the
 * value may then not satisfy it.
 */
export function valueFor(schema: Json): Json {
  return build(schema, { root: schema, depth: 0, name: "" });
}

interface Place {
  root: Json;
  depth: number;
  /** The property that the value is for: a city gets a city's name. */
  name: string;
}

/** How deep a schema may refer to itself before optional parts are left out. */
const DEEP = 4;

function build(given: Json, place: Place): Json {
  if (!isObject(given)) return null;
  const schema = resolved(given, place.root, 0);
  if (schema["const"] !== undefined) return schema["const"];
  const [choice] = listAt(schema, "enum");
  const preferred = schema["default"] ?? listAt(schema, "examples")[0];
  if (preferred !== undefined && satisfies(preferred, schema)) return preferred;
  if (choice !== undefined) return listAt(schema, "enum").find((value) => satisfies(value, schema)) ?? choice;
  switch (typeOf(schema)) {
    case "object":
      return objectFor(schema, place);
    case "array":
      return arrayFor(schema, place);
    case "number":
    case "integer":
      return numberFor(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return stringFor(schema, place.name);
  }
}

/** The schema with its references followed and its branches merged in. */
function resolved(schema: JsonObject, root: Json, depth: number): JsonObject {
  if (depth > 32) return {};
  const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema;
  const parts: Json[] = [
    typeof reference === "string" ? pointed(root, reference) : {},
    ...(Array.isArray(allOf) ? allOf : []),
    ...(Array.isArray(anyOf) ? anyOf.slice(0, 1) : []),
    ...(Array.isArray(oneOf) ? oneOf.slice(0, 1) : []),
  ];
  return parts
    .filter(isObject)
    .map((part) => resolved(part, root, depth + 1))
    .reduce(merged, own);
}

/** Both schemas' demands: the stricter bound, all required properties. */
function merged(one: JsonObject, other: JsonObject): JsonObject {
  const both: JsonObject = { ...other, ...one };
  both["properties"] = { ...objectAt(other, "properties"), ...objectAt(one, "properties") };
  both["required"] = [...new Set([...listAt(one, "required"), ...listAt(other, "required")])];
  for (const bound of ["minimum", "exclusiveMinimum", "minLength", "minItems"]) pick(both, one, other, bound, Math.max);
  for (const bound of ["maximum", "exclusiveMaximum", "maxLength", "maxItems"]) pick(both, one, other, bound, Math.min);
  return both;
}

function pick(
  into: JsonObject,
  one: JsonObject,
  other: JsonObject,
  bound: string,
  stricter: (a: number, b: number) => number,
): void {
  const a = numberAt(one, bound);
  const b = numberAt(other, bound);
  if (a !== undefined && b !== undefined) into[bound] = stricter(a, b);
}

/** What a reference inside the document points at; an empty schema where it points nowhere. */
function pointed(root: Json, reference: string): Json {
  let at: Json | undefined = root;
  for (const step of reference.split("/").slice(1)) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) ? at[key] : undefined;
  }
  return at ?? {};
}

function typeOf(schema: JsonObject): string | undefined {
  const { type } = schema;
  if (typeof type === "string") return type;
  const first = listAt(schema, "type").find((word) => word !== "null") ?? listAt(schema, "type")[0];
  if (typeof first === "string") return first;
  if (Object.keys(objectAt(schema, "properties") ?? {}).length > 0 || listAt(schema, "required").length > 0) {
    return "object";
  }
  if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return "array";
  const numeric = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
  return numeric.some((key) => schema[key] !== undefined) ? "number" : undefined;
}

/** A preferred value is only taken where it is plainly of the right kind. */
function satisfies(value: Json, schema: JsonObject): boolean {
  const types = [schema["type"]].flat().filter((type) => typeof type === "string");
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const named = kind === "number" && Number.isInteger(value) ? ["number", "integer"] : [kind];
  return types.length === 0 || types.some((type) => named.includes(type));
}

function objectFor(schema: JsonObject, place: Place): JsonObject {
  const required = listAt(schema, "required").filter((name) => typeof name === "string");
  const properties = objectAt(schema, "properties") ?? {};
  const names = place.depth >= DEEP ? required : [...new Set([...Object.keys(properties), ...required])];
  return Object.fromEntries(
    names.map((name): [string, Json] => [
      name,
      build(properties[name] ?? { type: "string" }, { ...place, depth: place.depth + 1, name }),
    ]),
  );
}

function arrayFor(schema: JsonObject, place: Place): Json[] {
  const fixed = listAt(schema, "prefixItems");
  const least = numberAt(schema, "minItems") ?? 0;
  const wanted = place.depth >= DEEP ? least : Math.max(least, fixed.length, 1);
  const count = Math.min(wanted, numberAt(schema, "maxItems") ?? wanted);
  const item = schema["items"] ?? { type: "string" };
  return Array.from({ length: count }, (_, at) => build(fixed[at] ?? item, { ...place, depth: place.depth + 1 }));
}

/** The smallest suitable number that is not below 1, or the nearest to it that the bounds allow. */
function numberFor(schema: JsonObject): number {
  const step = numberAt(schema, "multipleOf") ?? (stringAt(schema, "type") === "number" ? 0.5 : 1);
  const low = Math.max(numberAt(schema, "minimum") ?? -Infinity, numberAt(schema, "exclusiveMinimum") ?? -Infinity);
  const high = Math.min(numberAt(schema, "maximum") ?? Infinity, numberAt(schema, "exclusiveMaximum") ?? Infinity);
  const openLow = numberAt(schema, "exclusiveMinimum") === low;
  const openHigh = numberAt(schema, "exclusiveMaximum") === high;
  const start = Math.min(Math.max(1, low), high);
  // A number of steps: rounding the product again keeps 0.1 * 3 at 0.3.
  const multiple = (count: number): number => Number((count * step).toPrecision(15));
  const fits = (value: number): boolean =>
    value >= low && value <= high && !(openLow && value <= low) && !(openHigh && value >= high);
  const near = Math.ceil(start / step);
  const found = [near, near + 1, near - 1].map(multiple).find(fits);
  return found ?? (Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : start);
}
