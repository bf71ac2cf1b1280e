/** The parameter that an origin names, in the client's own spelling. */
import { isRequestField, isTellingField } from "./fields.ts";
import { isHost } from "./names.ts";

/** Names of vLLM's insides that it reports as if they were parameters. */
const INTERNAL = new Set(["input_tokens", "input_text", "prompt_token_ids", "engine_prompt"]);

/** pydantic puts the branch of a union it tried among the path's segments. */
const UNION_BRANCHES = new Set(["str", "int", "float", "bool", "bytes", "dict", "list", "tuple", "none", "nullable"]);

/** A parameter's path is short; what is longer is a client's own key and helps nobody. */
const MAX_PATH = 200;

/**
 * Returns the path without `body.` and without Python's class names, list places in brackets: `messages[0].content`.
 * `undefined` where nothing of the request is named: `body` itself, `body.31` (an offset into its text), internals,
 * and any other word of the origin's.
 */
export function clientParam(param: string | undefined): string | undefined {
  const path = readPath(param);
  return path !== undefined && isRequestField(firstField(path)) ? path : undefined;
}

/** As `clientParam`, of a complaint that a field is unknown: one beside the known ones is the client's own word. */
export function unknownParam(param: string | undefined): string | undefined {
  const path = readPath(param);
  return path !== undefined && /^\w{1,64}$/.test(path) ? path : clientParam(param);
}

function readPath(param: string | undefined): string | undefined {
  if (param === undefined || param.length > MAX_PATH) return undefined;
  const segments = param.replace(/^body(?:\.|$)/, "").split(".");
  let path = "";
  for (const segment of segments) {
    if (/^\d+$/.test(segment)) path += path === "" ? "" : `[${segment}]`;
    else if (isField(segment)) path += path === "" ? segment : `.${segment}`;
  }
  return path === "" || INTERNAL.has(firstField(path)) || isHost(path) ? undefined : path;
}

function firstField(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? "";
}

function isField(segment: string): boolean {
  return /^[a-z_][\w-]*(?:\[\d+\])*$/.test(segment) && !UNION_BRANCHES.has(segment);
}

/** What may stand before the name without hiding that the sentence is about it. */
const OPENING = /^(?:Parameter |requested (?:sample )?|token_id\(s\) \[[^\]]{0,500}\] in (?=logit_bias\b))/i;

/** Returns the request field with which a sentence starts ("n must be at least 1"), quoted or not. */
export function leadingParam(sentence: string): string | undefined {
  const name = /^[`'"]?([a-z_]{1,40})(?![\w-])/.exec(sentence.replace(OPENING, ""))?.[1];
  return name !== undefined && isTellingField(name) ? name : undefined;
}
