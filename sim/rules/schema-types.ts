import { isObject, type Json } from "../json.ts";

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** The first `type` in a schema that JSON Schema does not know, or undefined. */
export function unknownType(schema: Json | undefined): string | undefined {
  if (Array.isArray(schema)) return schema.map(unknownType).find((word) => word !== undefined);
  if (!isObject(schema)) return undefined;
  const { type, properties, enum: _, const: __, default: ___, examples: ____, ...rest } = schema;
  if (typeof type === "string" && !TYPES.includes(type)) return type;
  const below = [...Object.values(isObject(properties) ? properties : {}), ...Object.values(rest)];
  return below.map(unknownType).find((word) => word !== undefined);
}
