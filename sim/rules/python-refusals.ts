import { isObject, numberAt, type Json, type JsonObject } from "../json.ts";
import type { Refusal } from "./rule.ts";

/** A refusal without a parameter. */
export function plain(message: string): Refusal {
  return { status: 400, message };
}

/** A validator's refusal: it names the parameter, and the value where there is one. */
export function bad(message: string, param: string, value?: Json): Refusal {
  const suffix = value === undefined ? "" : `, value=${typeof value === "string" ? value : JSON.stringify(value)}`;
  return { status: 400, message: `${message} (parameter=${param}${suffix})`, param };
}

/** A refusal of the body's schema: its own type, and the insides of the validation library in the message. */
export function schema(type: string, field: string, says: string, input: Json | undefined): Refusal {
  const shown = Array.isArray(input)
    ? `<list of ${input.length} items>`
    : isObject(input)
      ? `<dict of ${Object.keys(input).length} items>`
      : String(input);
  const loc = `body.${field}`;
  const message = `1 validation error:\n  {'type': '${type}', 'loc': '${loc}', 'msg': '${says}', 'input': '${shown}'}`;
  return { status: 400, message, type: "Bad Request", param: loc };
}

/** The same refusal when the head is already out. */
export function late(refusal: Refusal): Refusal {
  return { ...refusal, when: "late" };
}

/** A refusal of a number, where it is there and wrong. */
export function range(
  body: JsonObject,
  name: string,
  wrong: (value: number) => boolean,
  refusal: (value: number) => Refusal,
): Refusal | undefined {
  const value = numberAt(body, name);
  return value !== undefined && wrong(value) ? refusal(value) : undefined;
}

/** Outside of what penalties may be. */
export function outsideTwo(value: number): boolean {
  return value < -2 || value > 2;
}

/** A number as Python prints a float. */
export function float(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
}
