/** Names that are the origin's own: its hosts, its models, its adapters, its tenants, its keys. */
import { isRequestField } from "./fields.ts";

const NAMES: readonly RegExp[] = [
  // Keys and what goes with them
  /\bbearer\b|\bapi[ _-]?keys?\b|\b(?:sk|pk|rk)-\w|\b(?:hf|gh[a-z]|xox[a-z])_\w{8,}|\bAKIA\w{8,}|\beyJ[\w-]{8,}/i,
  /\b(?:secrets?|passwords?|passwd|credentials?|authorization|jwt|access[ _-]?(?:keys?|tokens?))\b/i,
  // Who else is there
  /\b(?:tenants?|customers?|workspaces?|organi[sz]ations?|upstreams?|backends?|replicas?|pods?)(?:\b|[_-])/i,
  /(?<!\binto )\baccounts?\b|\w@\w|\bvllm-\w/i,
  // Adapters: that there are none is vLLM's own sentence, any other may name one
  /\badapters?\b|\blora_\w+\s*[=:`'"]|(?<!-)\blora\b(?!\s+(?:is|are|was|must|requests?|modules?|support)\b|[.,!]|$)/i,
  // A model's name, in quotes or of a shape that no plain word has
  /\bmodel(?:[ _]name)?[ :=]+(?:(?:named|called) )?(?:[`'"]|[\w.]*\w-\w|[\w.]*[a-z_.]\d|\d+[a-z])/i,
];

const DOTTED = /(?<![\w.[\]-])[a-z0-9_[\]-]+(?:\.[a-z0-9_[\]-]+)+/gi;
const DOMAIN = /\.(?:ai|app|cloud|co|com|de|dev|eu|io|net|org|uk|us)$/i;

/** Whether dotted words are a host. A path in the request has dots too, and starts with one of its fields. */
export function isHost(dotted: string): boolean {
  if (DOMAIN.test(dotted)) return true;
  const labels = dotted.split(".");
  if (labels.length < 3 || !/^[a-z]/i.test(labels.at(-1) ?? "")) return false;
  return !isRequestField(/^\w*/.exec(dotted)?.[0] ?? "");
}

/** Words with a slash between them, each time as many as hang together. */
const SLASHED = /(?<![\w./@-])\/?[\w.@-]+(?:\/[\w.@-]+)+/g;
const MEDIA_TYPE = /^(?:application|audio|image|multipart|text|video)\/[\w.-]+$/;
const ROUTE =
  /^\/v\d+(?:\/(?:audio|chat|classify|completions|embeddings|messages|models|pooling|realtime|render|rerank|responses|score|speech|transcriptions|translations|count_tokens))+$/;
const ALTERNATIVES = new Set("and assistant false input no off on or output system text tool true user yes".split(" "));

/** `org/name` is how models are called; what else is written with a slash is known. */
function isModel(slashed: string): boolean {
  if (MEDIA_TYPE.test(slashed) || ROUTE.test(slashed)) return false;
  const words = slashed.split("/");
  return !words.every((word) => isRequestField(word) || ALTERNATIVES.has(word.toLowerCase()) || /^\d*$/.test(word));
}

/** Whether `text` names what only the origin's operator knows by that name. */
export function showsNames(text: string): boolean {
  if (NAMES.some((name) => name.test(text))) return true;
  for (const [dotted] of text.matchAll(DOTTED)) if (isHost(dotted)) return true;
  for (const [slashed] of text.matchAll(SLASHED)) if (isModel(slashed.replace(/\.$/, ""))) return true;
  return false;
}
