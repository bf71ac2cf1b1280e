/** vLLM's message and parameter, as a client should read them. */
import { readOutputLimit } from "./context.ts";
import { showsInsides } from "./insides.ts";
import { clientParam, leadingParam } from "./params.ts";
import { complaintSentence, readValidation } from "./python.ts";
import type { Reading } from "./reading.ts";
import { readRust } from "./rust.ts";
import { MAX_MESSAGE } from "./said.ts";

export interface Sentence {
  readonly message: string;
  /** The request's parameter at fault, `undefined` where none is named or the named one is not the client's. */
  readonly param: string | undefined;
}

/** A client's sentence is no longer than this. */
const MAX_SENTENCE = 500;

/** Rust names each step that failed before it gives the reason, */
const STEPS = /^(?:failed to [a-z ]{1,60}: ){1,4}/;
/** and each part of the request that the reason lies in; serde's own reasons start alike. */
const SCOPES = /^(?:invalid (?!type|value|length)[a-z_ ]{1,60}: ){1,4}/;

/** vLLM puts its own name of the model into this one, and a client may know the model by another. */
const TEXT_ONLY = "The model does not accept images, audio or video.";

/**
 * Returns the sentence without its wrappers, vLLM's own words kept up to the first that show its insides; where those
 * come first, or nothing was said, a plain sentence of ours. Any text whatever may be passed.
 */
export function clientSentence(message: string, param: string | undefined): Sentence {
  const reading = read(message.slice(0, MAX_MESSAGE).trim(), param);
  const { sentence, suffixParam } = withoutSuffix(reading.message ?? "");
  const named = reading.param ?? clientParam(param) ?? clientParam(suffixParam) ?? leadingParam(sentence);
  return { message: bounded(clean(sentence) ?? plainSentence(named)), param: named };
}

function read(text: string, param: string | undefined): Reading {
  const reason = text.replace(STEPS, "").replace(SCOPES, "");
  if (param !== undefined && /^(?:Field required|Input should |Extra inputs|Value error, )/.test(reason)) {
    return complaintSentence(reason, param);
  }
  if (/^\S{1,256} is not a multimodal model/.test(reason)) return { message: TEXT_ONLY, param: undefined };
  return readValidation(reason) ?? readRust(reason) ?? readOutputLimit(reason) ?? { message: reason, param: undefined };
}

/** Cuts ` (parameter=top_p, value=1.5)`, which Python puts after its own sentences. */
function withoutSuffix(text: string): { sentence: string; suffixParam: string | undefined } {
  const at = text.lastIndexOf(" (parameter=");
  if (at < 0) return { sentence: text, suffixParam: undefined };
  return { sentence: text.slice(0, at), suffixParam: /^ \(parameter=([\w.]{1,100})/.exec(text.slice(at))?.[1] };
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
