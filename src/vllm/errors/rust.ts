/**
 * The Rust front end's messages: serde's on a body that does not fit (`path: complaint at line 1 column 9`), the
 * validator's on a value out of bounds (`field: Validation error: range [{"min": Number(1), …}]`), and its own.
 */
import { clientParam, unknownParam } from "./params.ts";
import type { Reading } from "./reading.ts";

const UNFIT = "Failed to deserialize the JSON body into the target type: ";
const NOT_JSON = "Failed to parse the request body as JSON";

/** What each of serde's expectations is called in JSON; an integer's bounds tell more than its type. */
const EXPECTED: ReadonlyMap<string, string> = new Map([
  ["a boolean", "a boolean"],
  ["a string", "a string"],
  ["a borrowed string", "a string"],
  ["a sequence", "an array"],
  ["a map", "an object"],
  ["f32", "a number"],
  ["f64", "a number"],
  ["u8", "an integer between 0 and 255"],
  ["u16", "an integer between 0 and 65535"],
  ["u32", "an integer between 0 and 4294967295"],
  ["u64", "an integer between 0 and 18446744073709551615"],
  ["usize", "an integer between 0 and 18446744073709551615"],
  ["i32", "an integer between -2147483648 and 2147483647"],
  ["i64", "an integer between -9223372036854775808 and 9223372036854775807"],
]);

/** Returns what a message in one of Rust's wrappers says, or `undefined` for a message without one. */
export function readRust(message: string): Reading | undefined {
  if (message.startsWith(NOT_JSON)) return { message: "The request body is not valid JSON.", param: undefined };
  if (message.startsWith(UNFIT)) return readUnfit(message.slice(UNFIT.length));
  if (message.startsWith("__all__: ")) return { message: message.slice("__all__: ".length), param: undefined };
  if (/has an empty prompt_token_ids$|must contain at least one prompt token ID$/.test(message)) {
    return { message: "The prompt is empty.", param: undefined };
  }
  const broken = /^([\w.[\]]{1,200}): Validation error: ([^\n]*)/.exec(message);
  return broken ? readBroken(broken[1] ?? "", broken[2] ?? "") : undefined;
}

function readUnfit(text: string): Reading {
  const [, path = "", rest = ""] = /^(?:([\w.[\]?-]{1,200}): )?(.*?)(?: at line \d+ column \d+)?$/s.exec(text) ?? [];
  const named = /^(missing|unknown) field `([^`]{1,100})`/.exec(rest);
  if (named) {
    const place = [path, named[2]].filter(Boolean).join(".");
    const param = named[1] === "missing" ? clientParam(place) : unknownParam(place);
    const fault = named[1] === "missing" ? "required" : "not a known parameter";
    return { message: param && `"${param}" is ${fault}.`, param };
  }
  const param = clientParam(path);
  if (/^invalid (?:type|value|length): /.test(rest)) {
    if (param === undefined) return { message: "The request body must be a JSON object.", param };
    const wanted = EXPECTED.get(/, expected ([^,]{1,40})$/.exec(rest)?.[1] ?? "");
    return { message: wanted && `"${param}" must be ${wanted}.`, param };
  }
  const choices = /^unknown variant `[^`]*`, expected (?:one of )?(`.+)$/.exec(rest)?.[1];
  if (choices !== undefined && param !== undefined) {
    return { message: `"${param}" must be ${oneOf(choices.match(/`[^`]*`/g) ?? [])}.`, param };
  }
  return { message: rest, param };
}

function oneOf(choices: readonly string[]): string {
  const names = choices.map((choice) => `"${choice.slice(1, -1)}"`);
  return names.length > 1 ? `one of ${names.join(", ")}` : (names[0] ?? "another value");
}

function readBroken(path: string, complaint: string): Reading {
  const param = clientParam(path);
  const bounds = complaint.indexOf(" [{");
  const rule = bounds < 0 ? complaint : complaint.slice(0, bounds);
  const sentence = param && bounds >= 0 && boundsSentence(param, rule, complaint.slice(bounds));
  return { message: sentence || rule, param };
}

/** `undefined` where the rule is a sentence itself, or has no bounds. */
function boundsSentence(param: string, rule: string, bounds: string): string | undefined {
  if (rule !== "range" && rule !== "length") return undefined;
  const min = bound(bounds, "min");
  const max = bound(bounds, "max");
  if (rule === "length" && min === "1" && max === undefined) return `"${param}" must not be empty.`;
  const must = rule === "range" ? "must be" : "must have a length";
  if (min !== undefined && max !== undefined) return `"${param}" ${must} between ${min} and ${max}.`;
  const of = rule === "range" ? "" : " of";
  if (min !== undefined) return `"${param}" ${must}${of} at least ${min}.`;
  return max === undefined ? undefined : `"${param}" ${must}${of} at most ${max}.`;
}

function bound(bounds: string, key: "min" | "max"): string | undefined {
  return new RegExp(`"${key}": Number\\((-?[\\d.]{1,40})\\)`).exec(bounds)?.[1]?.replace(/\.0$/, "");
}
