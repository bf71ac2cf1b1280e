/** vLLM's message and parameter, as a client should read them. */
import { readOutputLimit } from "./context.ts";
import { showsInsides } from "./insides.ts";
import { clientParam, leadingParam } from "./params.ts";
import { complaintSentence, readValidation } from "./python.ts";
import type { Reading } from "./reading.ts";
import { readRust } from "./rust.ts";

export interface Sentence {
  readonly message: string;
  /** The request's parameter at fault, `undefined` where none is named or the named one is not the client's. */
  readonly param: string | undefined;
}

/** A longer message is read only this far. */
const MAX_READ = 64 * 1024;
/** A client's sentence is no longer than this. */
const MAX_SENTENCE = 500;

/**
 * Returns the sentence without its wrappers, vLLM's own words kept up to the first that show its insides; where those
 * come first, or nothing was said, a plain sentence of ours. Any text whatever may be passed.
 */
export function clientSentence(message: string, param: string | undefined): Sentence {
  const { text, suffixParam } = withoutSuffix(message.slice(0, MAX_READ).trim(), param);
  const reading = read(text, param);
  const named = reading.param ?? clientParam(param) ?? clientParam(suffixParam) ?? leadingParam(reading.message ?? "");
  return { message: bounded(clean(reading.message ?? "") ?? plainSentence(named)), param: named };
}

function read(text: string, param: string | undefined): Reading {
  // Rust names each step that failed before the reason; one of its own openings is a reason and handled as one.
  const reason = text
    .replace(/^(?:failed to [a-z ]{1,60}: ){1,4}/, "")
    .replace(/^(?:invalid [a-z_ ]{1,60}: ){1,4}/, "");
  if (param !== undefined && /^(?:Field required|Input should |Extra inputs|Value error, )/.test(reason)) {
    return complaintSentence(reason, param);
  }
  return readValidation(reason) ?? readRust(reason) ?? readOutputLimit(reason) ?? { message: reason, param: undefined };
}

/** Cuts ` (parameter=top_p, value=1.5)`, which Python puts after its own sentences. */
function withoutSuffix(text: string, param: string | undefined): { text: string; suffixParam: string | undefined } {
  const known = param === undefined ? -1 : text.lastIndexOf(` (parameter=${param}`);
  const at = known < 0 ? text.lastIndexOf(" (parameter=") : known;
  if (at < 0) return { text, suffixParam: undefined };
  return { text: text.slice(0, at), suffixParam: /^ \(parameter=([\w.]{1,100})/.exec(text.slice(at))?.[1] };
}

/** Returns the sentences of the first line up to the first that shows insides; `undefined` where none is left. */
function clean(text: string): string | undefined {
  const [line = ""] = text.split(/[\r\n]/, 1);
  // Longer than a client's sentence by a good deal, so that what is cut away is still looked at.
  const sentences = line.slice(0, 4 * MAX_SENTENCE).split(/(?<=[.!?])\s+(?=[A-Z`'"])/);
  const shown = sentences.findIndex((sentence) => showsInsides(sentence));
  const kept = (shown < 0 ? sentences : sentences.slice(0, shown)).join(" ").trim();
  return kept === "" ? undefined : kept;
}

function plainSentence(param: string | undefined): string {
  return param === undefined ? "The request is not valid." : `The value of "${param}" is not valid.`;
}

function bounded(sentence: string): string {
  if (sentence.length <= MAX_SENTENCE) return sentence;
  // A cut may fall into a pair of surrogates.
  return `${sentence.slice(0, MAX_SENTENCE - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
