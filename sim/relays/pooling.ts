import { COMPLETIONS } from "../completions/plan.ts";
import { hex } from "../dialects/ids.ts";
import { isObject, numberAt, stringAt, type Json, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import { hash, textOf, type Piece } from "../text/pieces.ts";

/* What pooling models answer, in vLLM's shapes as far as known: the recorded servers had no such model. */

/** `/v1/embeddings`. */
export function embeddings(body: JsonObject, model: Model): JsonObject {
  const inputs = inputsOf(body["input"]);
  const data = inputs.map((pieces, index) => {
    const vector = vectorFor(textOf(pieces), numberAt(body, "dimensions") ?? 8);
    const base64 = Buffer.from(Float32Array.from(vector).buffer).toString("base64");
    return { index, object: "embedding", embedding: body["encoding_format"] === "base64" ? base64 : vector };
  });
  return listOf("embd", model, inputs, data);
}

/** `/pooling`. */
export function pooling(body: JsonObject, model: Model): JsonObject {
  const inputs = inputsOf(body["input"]);
  const data = inputs.map((pieces, index) => ({
    index,
    object: "pooling",
    data: pieces.map((piece) => vectorFor(textOf([piece]), 4)),
  }));
  return listOf("pool", model, inputs, data);
}

/** `/classify`. */
export function classify(body: JsonObject, model: Model): JsonObject {
  const inputs = inputsOf(body["input"]);
  const data = inputs.map((pieces, index) => {
    const first = (hash(textOf(pieces)) % 1000) / 1000;
    const probs = [first, 1 - first];
    return { index, label: first >= 0.5 ? "LABEL_0" : "LABEL_1", probs, num_classes: probs.length };
  });
  return listOf("classify", model, inputs, data);
}

/** `/score` and `/v1/score`: one text against another, or against each of several. */
export function score(body: JsonObject, model: Model): JsonObject {
  const asked = inputsOf(body["text_1"] ?? body["queries"]);
  const others = inputsOf(body["text_2"] ?? body["documents"]);
  const data = others.map((other, index) => ({
    index,
    object: "score",
    score: likeness(asked[asked.length > 1 ? index : 0] ?? [], other),
  }));
  return listOf("score", model, [...asked, ...others], data);
}

/** `/rerank`, `/v1/rerank` and `/v2/rerank`: the best documents first. */
export function rerank(body: JsonObject, model: Model): JsonObject {
  const [query = []] = inputsOf(body["query"]);
  const documents = inputsOf(body["documents"]);
  const results = documents
    .map((pieces, index) => ({
      index,
      document: { text: textOf(pieces), multi_modal: null },
      relevance_score: likeness(query, pieces),
    }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, numberAt(body, "top_n") || documents.length);
  const total = counted([query, ...documents]);
  return {
    id: `rerank-${hex(16)}`,
    model: model.name,
    usage: { prompt_tokens: total, total_tokens: total },
    results,
  };
}

/** One input or several, as texts, as ids, or as documents with a `text`. */
function inputsOf(input: Json | undefined): Piece[][] {
  const list = Array.isArray(input)
    ? input.map((item) => (isObject(item) ? (stringAt(item, "text") ?? "") : item))
    : input;
  return COMPLETIONS.prompts({ prompt: list ?? null });
}

function counted(inputs: readonly Piece[][]): number {
  return inputs.reduce((sum, pieces) => sum + pieces.length, 0);
}

function listOf(prefix: string, model: Model, inputs: readonly Piece[][], data: JsonObject[]): JsonObject {
  const total = counted(inputs);
  const usage = { prompt_tokens: total, total_tokens: total, completion_tokens: 0, prompt_tokens_details: null };
  const created = Math.floor(Date.now() / 1000);
  return { id: `${prefix}-${hex(16)}`, object: "list", created, model: model.name, data, usage };
}

/** A vector of length one, always the same for a text. */
function vectorFor(text: string, dimensions: number): number[] {
  const raw = Array.from({ length: dimensions }, (_, at) => (hash(`${at} ${text}`) % 2001) / 1000 - 1);
  const length = Math.hypot(...raw) || 1;
  return raw.map((value) => value / length);
}

/** How many of the words of one text the other has, from 0 to 1. */
function likeness(asked: readonly Piece[], other: readonly Piece[]): number {
  const wanted = new Set(wordsOf(asked));
  const found = new Set(wordsOf(other).filter((word) => wanted.has(word)));
  return wanted.size === 0 ? 0 : found.size / wanted.size;
}

function wordsOf(pieces: readonly Piece[]): string[] {
  return (
    textOf(pieces)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}
