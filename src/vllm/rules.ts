/** How vLLM's request rules are stated, and how a broken one is told to the client. */
import * as z from "zod/mini";
import { GatewayError } from "../core/errors.ts";

/** Returns a number from `min` to `max`, both allowed. */
export function range(min: number, max: number) {
  const rule = `must be a number from ${min} to ${max}`;
  return absent(z.number(rule).check(z.gte(min, rule), z.lte(max, rule)));
}

/** Returns a number above `min`, and up to `max` where there is one. */
export function above(min: number, max = Number.POSITIVE_INFINITY) {
  const rule = `must be a number greater than ${min}${Number.isFinite(max) ? ` and at most ${max}` : ""}`;
  return absent(z.number(rule).check(z.gt(min, rule), z.lte(max, rule)));
}

/** Returns a whole number from `min` on, up to `max` where there is one. */
export function whole(min: number, max = Number.POSITIVE_INFINITY) {
  const rule = Number.isFinite(max)
    ? `must be a whole number from ${min} to ${max}`
    : `must be a whole number, ${min} or more`;
  return absent(z.number(rule).check(z.refine(Number.isInteger, rule), z.gte(min, rule), z.lte(max, rule)));
}

export function flag() {
  return absent(z.boolean("must be true or false"));
}

/** `null` means the same as a field that is not there. */
export function absent<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.optional(z.nullable(schema));
}

/**
 * Returns a list whose elements are looked at one by one, up to the first that breaks a rule: a body may hold millions of
 * them, and one sentence is all that is said.
 */
export function listOf(element: z.core.$ZodType, rule: string) {
  return z.array(z.unknown(), rule).check(({ value: list, issues }) => {
    for (const [at, value] of list.entries()) {
      const result = z.safeParse(element, value);
      if (result.success) continue;
      const { path = [], message = rule } = result.error.issues[0] ?? {};
      issues.push({ code: "custom", input: value, path: [at, ...path], message, continue: true });
      return;
    }
  });
}

/** Throws `invalid_request` for the first rule of `schema` that `value` breaks, naming the parameter; `root` is its own name. */
export function check(schema: z.core.$ZodType, value: unknown, root = ""): void {
  const result = z.safeParse(schema, value);
  if (result.success) return;
  const [issue] = result.error.issues;
  const param = (issue?.path ?? []).reduce<string>(
    (path, step) =>
      typeof step === "number" ? `${path}[${step}]` : path === "" ? String(step) : `${path}.${String(step)}`,
    root,
  );
  throw refuse(param, `"${param}" ${issue?.message ?? "is not valid"}.`);
}

export function refuse(param: string, message: string): GatewayError {
  return new GatewayError("invalid_request", message, { param });
}
