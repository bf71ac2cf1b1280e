/** A stream or a body reduced to what two runs of a server have in common. */
export interface Shape {
  /** For each choice (and `-` for the rest): the kinds of its frames in order, runs of the same kind collapsed. */
  kinds: Record<string, string[]>;
  /** For each choice and field: its text, joined. */
  texts: Record<string, string>;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Values that differ from run to run, or that depend on the tokenizer. */
const VARYING = new Set([
  "id",
  "request_id",
  "created",
  "logprob",
  "rank",
  "decoded_token",
  "token",
  "tokens",
  "root",
  "message",
  "model",
]);
const TEXTS = new Set(["content", "reasoning", "arguments", "text"]);

/** The shape of an SSE body (or of one JSON body, as a stream of one frame). */
export function shapeOf(body: string): Shape {
  const shape: Shape = { kinds: {}, texts: {} };
  for (const record of recordsOf(body)) {
    const data = /^data: (\{.*\})$/s.exec(record)?.[1] ?? (record.startsWith("{") ? record : undefined);
    if (data === undefined) note(shape, "-", record);
    else {
      const chunk: Json = JSON.parse(data);
      // Python writes its error events with spaces.
      const spaced = data.startsWith('{"error": ') ? "spaced " : "";
      note(shape, choiceOf(chunk), spaced + kindOf(chunk, ""));
      collect(shape, chunk, "");
    }
  }
  return shape;
}

/** The records of an SSE body without their blank lines. */
export function recordsOf(body: string): string[] {
  if (!/^(data|event|:)/.test(body)) return [body];
  return body.split("\n\n").filter((record) => record !== "");
}

function note(shape: Shape, choice: string, kind: string): void {
  const kinds = (shape.kinds[choice] ??= []);
  if (kinds.at(-1) !== kind) kinds.push(kind);
}

function choiceOf(chunk: Json): string {
  const choices = isObject(chunk) && Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
  const [first = null] = choices;
  return choices.length === 1 && isObject(first) ? JSON.stringify(first["index"]) : "-";
}

/** Keys in order, values where they mean something. */
function kindOf(value: Json, key: string): string {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === "number") && key !== "choices") return "[#]";
    return `[${[...new Set(value.map((item) => kindOf(item, key)))].join(",")}]`;
  }
  if (isObject(value)) {
    // Completions list log-probabilities by the token's text, prompts' ones by its id.
    const byToken = key === "top_logprobs" && !("logprob" in value);
    const entries = Object.entries(value).map(([name, item]) => {
      const shown = /^\d+$/.test(name) ? "#" : byToken ? "$" : name;
      return `${shown}:${kindOf(item, name)}`;
    });
    return `{${entries.join(",")}}`;
  }
  if (typeof value === "number") return key === "index" || key === "code" || key === "stop_reason" ? `${value}` : "#";
  if (typeof value === "string" && (VARYING.has(key) || TEXTS.has(key))) return "$";
  return JSON.stringify(value);
}

function collect(shape: Shape, value: Json, path: string): void {
  // In generate the ids are what is said; elsewhere they are the tokenizer's business.
  const said = isObject(value) && !("delta" in value || "message" in value || "text" in value);
  if (said && Array.isArray(value["token_ids"]) && "index" in value) {
    const name = `${path}/token_ids`;
    shape.texts[name] = `${shape.texts[name] ?? ""}${value["token_ids"].map(String).join(",")},`;
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      const index = isObject(item) && typeof item["index"] === "number" ? item["index"] : "";
      collect(shape, item, `${path}/${index}`);
    }
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const name = `${path}/${key}`;
      if (TEXTS.has(key) && typeof item === "string") shape.texts[name] = (shape.texts[name] ?? "") + item;
      else collect(shape, item, name);
    }
  }
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
