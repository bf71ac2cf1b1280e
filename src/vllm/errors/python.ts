/**
 * The Python server's validation messages: a count, then one Python dict for each complaint of pydantic's.
 *
 *     1 validation error:
 *       {'type': 'missing', 'loc': 'body.messages', 'msg': 'Field required', 'input': '<dict of 1 items>'}
 */
import { clientParam, unknownParam } from "./params.ts";
import type { Reading } from "./reading.ts";

interface Complaint {
  readonly type: string;
  /** Where in the request, in dots: `body.messages`. */
  readonly place: string;
  readonly text: string;
}

const HEADER = /^\d+ validation errors?:\s+/;

/**
 * Newer servers name at most ten; of an older one's hundreds no client reads more. What looks like a complaint and is
 * none counts too: each is read to its end before that shows.
 */
const MAX_TRIES = 20;
/** A place in the request is shorter than this, and so is a rule about it. */
const MAX_TUPLE = 300;
const MAX_RULE = 300;

/** Returns what a validation message says, or `undefined` for a message of another kind. */
export function readValidation(message: string): Reading | undefined {
  const header = HEADER.exec(message)?.[0] ?? "";
  if (header === "" && !message.startsWith("[{'type': ")) return undefined;
  const complaints = readComplaints(message);
  const [first] = complaints;
  if (first === undefined) return { message: message.slice(header.length), param: undefined };
  // A union complains once for each branch; that the value is not of some branch's type says least.
  const telling = complaints.find(({ type, place }) => place === first.place && !type.endsWith("_type")) ?? first;
  return complaintSentence(telling.text, telling.place);
}

/** Returns pydantic's complaint about one place as a sentence; one of an unknown kind has no message. */
export function complaintSentence(text: string, place: string): Reading {
  const unknown = text.startsWith("Extra inputs");
  const param = unknown ? unknownParam(place) : clientParam(place);
  const own = /^(?:Value error|Assertion failed), (.+)$/s.exec(text)?.[1];
  if (own !== undefined) return { message: own, param };
  if (/^body(?:\.\d+)?$/.test(place)) return { message: bodySentence(text), param: undefined };
  if (param === undefined) return { message: undefined, param };
  if (text === "Field required") return { message: `"${param}" is required.`, param };
  if (unknown) return { message: `"${param}" is not a known parameter.`, param };
  const rule = /^[A-Z][a-z]+ should ((?:be|have|match) [^\n]+)$/.exec(text)?.[1];
  return { message: rule && `"${param}" must ${plain(rule)}.`, param };
}

function bodySentence(text: string): string | undefined {
  if (text === "Field required") return "The request has no body.";
  if (text.startsWith("JSON")) return "The request body is not valid JSON.";
  return text.startsWith("Input should be ") ? "The request body must be a JSON object." : undefined;
}

/** In the words of JSON, and without what pydantic adds for its own users. */
function plain(rule: string): string {
  return rule
    .slice(0, MAX_RULE)
    .replace(/, unable to .*$| after validation, not .*$/, "")
    .replace(/ a valid dictionary.*$/, " an object")
    .replace(/ a valid list$/, " an array");
}

function readComplaints(message: string): Complaint[] {
  const found: Complaint[] = [];
  let at = message.indexOf("{'type': ");
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries += 1) {
    const type = readString(message, at + "{'type': ".length);
    const place = type && readMember(message, type.end, "loc");
    const text = place && readMember(message, place.end, "msg");
    if (text) found.push({ type: type.value, place: place.value, text: text.value });
    at = message.indexOf("{'type': ", text?.end ?? at + 1);
  }
  return found;
}

interface Read {
  readonly value: string;
  readonly end: number;
}

function readMember(text: string, at: number, key: string): Read | undefined {
  const head = `, '${key}': `;
  if (!text.startsWith(head, at)) return undefined;
  const start = at + head.length;
  return text[start] === "(" ? readTuple(text, start) : readString(text, start);
}

/** `('body', 'messages', 0)`, as older servers wrote a place. */
function readTuple(text: string, at: number): Read | undefined {
  const length = text.slice(at, at + MAX_TUPLE).indexOf(")");
  if (length < 0) return undefined;
  const close = at + length;
  const items = text.slice(at + 1, close).split(",");
  const names = items.map((item) => item.trim().replace(/^['"]|['"]$/g, ""));
  return { value: names.filter((name) => name !== "").join("."), end: close + 1 };
}

/** A Python string in either kind of quotes; its escapes are undone as far as sentences have them. */
function readString(text: string, at: number): Read | undefined {
  const quote = text[at];
  if (quote !== "'" && quote !== '"') return undefined;
  let value = "";
  for (let end = at + 1; end < text.length; end += 1) {
    const letter = text[end] ?? "";
    if (letter === quote) return { value, end: end + 1 };
    if (letter !== "\\") {
      value += letter;
      continue;
    }
    end += 1;
    value += text[end] === "n" ? "\n" : (text[end] ?? "");
  }
  return undefined;
}
