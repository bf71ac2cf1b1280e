import type { Operation } from "../engine/operation.ts";
import { planOf, scriptedIds, type Plan } from "../engine/plan.ts";
import { listAt, numberAt, objectAt, stringAt, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import { END, piecesOf, piecesOfIds, textOf, type Piece } from "../text/pieces.ts";
import { proseFor } from "../text/prose.ts";

/** `POST /inference/v1/generate`. */
export const GENERATE: Operation = { name: "generate", prompts, plan };

function prompts(body: JsonObject): Piece[][] {
  return [piecesOfIds(listAt(body, "token_ids").filter((id) => typeof id === "number"))];
}

function plan(body: JsonObject, model: Model): Plan {
  const sampling = objectAt(body, "sampling_params") ?? {};
  // Recorded: the Rust front end knows no `extra_args`.
  const place = model.dialect === "python" ? "extra_args" : "vllm_xargs";
  const script = model.voice === "script" ? objectAt(sampling, place) : undefined;
  return planOf(
    {
      body,
      sampling,
      prompts: prompts(body),
      script,
      said: (choice, prompt) => scriptedIds(script) ?? saidTo(prompt, { script, model, choice }),
      most: numberAt(sampling, "max_tokens"),
    },
    model,
  );
}

interface Said {
  script: JsonObject | undefined;
  model: Model;
  choice: number;
}

function saidTo(prompt: Piece[], { script, model, choice }: Said): Piece[] {
  if (model.voice === "say") return [...prompt, END];
  const text = stringAt(script, "script");
  if (text !== undefined) return [...piecesOf(text), END];
  // Nobody has told the tiny model when to stop: it goes on until it is full.
  const words = model.voice === "script" ? model.window : model.switches.words;
  return [...piecesOf(proseFor(textOf(prompt), choice, words)), END];
}
