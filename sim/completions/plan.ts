import type { Operation } from "../engine/operation.ts";
import { planOf, scriptedIds, type Plan } from "../engine/plan.ts";
import { numberAt, objectAt, stringAt, type Json, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import { END, piecesOf, piecesOfIds, textOf, type Piece } from "../text/pieces.ts";
import { proseFor } from "../text/prose.ts";

/** `POST /v1/completions`. */
export const COMPLETIONS: Operation = { name: "completions", prompts, plan };

/** Tokens of an answer unless the request says otherwise. */
const USUAL = 16;

function prompts(body: JsonObject): Piece[][] {
  const { prompt } = body;
  if (!Array.isArray(prompt)) return typeof prompt === "string" ? [piecesOf(prompt)] : [];
  return isIds(prompt) ? [piecesOfIds(prompt)] : prompt.map(one);
}

/** One of several prompts: a text or ids. */
function one(prompt: Json): Piece[] {
  if (typeof prompt === "string") return piecesOf(prompt);
  return Array.isArray(prompt) && isIds(prompt) ? piecesOfIds(prompt) : [];
}

function isIds(list: Json[]): list is number[] {
  return list.length > 0 && list.every((item) => typeof item === "number");
}

function plan(body: JsonObject, model: Model): Plan {
  const script = model.voice === "script" ? objectAt(body, "vllm_xargs") : undefined;
  return planOf(
    {
      body,
      sampling: body,
      prompts: prompts(body),
      script,
      said: (choice, prompt) => scriptedIds(script) ?? [...piecesOf(textFor(script, model, choice, prompt)), END],
      most: numberAt(body, "max_tokens") ?? USUAL,
    },
    model,
  );
}

function textFor(script: JsonObject | undefined, model: Model, choice: number, prompt: Piece[]): string {
  const text = textOf(prompt);
  if (model.voice === "say") return text;
  return stringAt(script, "script") ?? proseFor(text, choice, model.switches.words);
}
