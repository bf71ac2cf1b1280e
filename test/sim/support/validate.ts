type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Schema = { [key: string]: Json };

/** What in the value breaks the schema: paths with the keyword, empty when nothing does. */
export function violations(value: Json, schema: Json, root: Json = schema, path = "$"): string[] {
  if (!isObject(schema)) return [];
  const wrong: string[] = [];
  const must = (keyword: string, holds: boolean): void => {
    if (!holds) wrong.push(`${path}: ${keyword}`);
  };
  const ref = schema["$ref"];
  if (typeof ref === "string") wrong.push(...violations(value, pointed(root, ref), root, path));
  for (const part of list(schema, "allOf")) wrong.push(...violations(value, part, root, path));
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = list(schema, keyword);
    must(keyword, branches.length === 0 || branches.some((branch) => violations(value, branch, root).length === 0));
  }
  const types = [schema["type"] ?? []].flat();
  must("type", types.length === 0 || types.some((type) => isOf(value, type)));
  if (schema["const"] !== undefined) must("const", same(value, schema["const"]));
  if (Array.isArray(schema["enum"]))
    must(
      "enum",
      schema["enum"].some((one) => same(value, one)),
    );
  if (typeof value === "number") wrong.push(...numberViolations(value, schema, path));
  if (typeof value === "string") wrong.push(...lengthViolations(Array.from(value).length, schema, "Length", path));
  if (Array.isArray(value)) {
    wrong.push(...lengthViolations(value.length, schema, "Items", path));
    for (const [at, item] of value.entries()) {
      wrong.push(...violations(item, list(schema, "prefixItems")[at] ?? schema["items"] ?? {}, root, `${path}[${at}]`));
    }
  }
  if (isObject(value)) {
    for (const name of list(schema, "required")) must("required", typeof name === "string" && name in value);
    for (const [name, below] of Object.entries(isObject(schema["properties"]) ? schema["properties"] : {})) {
      if (name in value) wrong.push(...violations(value[name] ?? null, below, root, `${path}.${name}`));
    }
  }
  return wrong;
}

function numberViolations(value: number, schema: Schema, path: string): string[] {
  const bound = (keyword: string, breaks: (limit: number) => boolean): string[] => {
    const limit = schema[keyword];
    return typeof limit === "number" && breaks(limit) ? [`${path}: ${keyword}`] : [];
  };
  return [
    ...bound("minimum", (limit) => value < limit),
    ...bound("maximum", (limit) => value > limit),
    ...bound("exclusiveMinimum", (limit) => value <= limit),
    ...bound("exclusiveMaximum", (limit) => value >= limit),
    ...bound("multipleOf", (step) => Math.abs(value / step - Math.round(value / step)) > 1e-9),
  ];
}

function lengthViolations(length: number, schema: Schema, what: "Length" | "Items", path: string): string[] {
  const least = schema[`min${what}`];
  const most = schema[`max${what}`];
  return [
    ...(typeof least === "number" && length < least ? [`${path}: min${what}`] : []),
    ...(typeof most === "number" && length > most ? [`${path}: max${what}`] : []),
  ];
}

function isOf(value: Json, type: Json): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  return type === "object" ? isObject(value) : typeof value === type;
}

function pointed(root: Json, ref: string): Json {
  return ref
    .split("/")
    .slice(1)
    .reduce<Json>((at, step) => (isObject(at) ? (at[step] ?? {}) : {}), root);
}

function list(schema: Schema, key: string): Json[] {
  const value = schema[key];
  return Array.isArray(value) ? value : [];
}

function same(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isObject(value: Json | undefined): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
