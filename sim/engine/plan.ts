import { listAt, numberAt, stringAt, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import type { ParserOptions } from "../text/parse.ts";
import { piecesOfIds, type Piece } from "../text/pieces.ts";

/** What one choice is going to say, the end mark included where the model ends by itself, and to which prompt. */
interface Choice {
  prompt: Piece[];
  pieces: Piece[];
}

/** What the model is going to say, before any dialect has put it into frames. */
export interface Plan {
  body: JsonObject;
  /** Where the sampling parameters are: the body itself, or generate's `sampling_params`. */
  sampling: JsonObject;
  stream: boolean;
  /** Every prompt once; a prompt has `n` choices, one after the other. */
  prompts: Piece[][];
  choices: Choice[];
  parsers: ParserOptions;
  /** No parser is at work at all: each token then shows as a frame. */
  raw: boolean;
  limit: number;
  stops: string[];
  stopIds: number[];
  keepStop: boolean;
  /** Tokens per frame after the first. */
  stride: number;
  /** Milliseconds before each token, where the script says so. */
  delay: number | undefined;
  /** The engine dies before this token. */
  diesAt: number | undefined;
  /** Required or named tools, or structured output, that the text does not fit: Rust fails after its first token. */
  misfit: boolean;
  /** A named tool: the calls end with `stop` in Python. */
  named: boolean;
}

/** What an operation has found in its request. */
export interface Asked {
  body: JsonObject;
  sampling: JsonObject;
  prompts: Piece[][];
  /** Where the script is, if the model obeys one. */
  script: JsonObject | undefined;
  said: (choice: number, prompt: Piece[]) => Piece[];
  /** Tokens that the answer may have; undefined: as many as the window has room for. */
  most: number | undefined;
}

const NO_PARSERS: ParserOptions = { reasoning: false, thinking: false, tools: false, onlyFirstCall: false };

/** The plan that follows from the sampling parameters; no parser is at work. */
export function planOf({ body, sampling, prompts, script, said, most }: Asked, model: Model): Plan {
  const each = model.dialect === "python" ? Math.max(1, numberAt(sampling, "n") ?? 1) : 1;
  const choices = prompts.flatMap((prompt, at) =>
    Array.from({ length: each }, (_, number) => ({ prompt, pieces: said(at * each + number, prompt) })),
  );
  // Beam search has its answer at the end, all at once, and it always uses what it was given.
  const beam = model.dialect === "python" && body["use_beam_search"] === true;
  const longest = Math.max(0, ...prompts.map((prompt) => prompt.length));
  const room = beam ? (choices[0]?.pieces.length ?? 2) - 1 : model.window - longest;
  return {
    body,
    sampling,
    stream: body["stream"] === true,
    prompts,
    choices,
    parsers: NO_PARSERS,
    raw: true,
    limit: Math.max(most === 0 ? 0 : 1, Math.min(most ?? room, room)),
    stops: stopStrings(sampling),
    stopIds: listAt(sampling, "stop_token_ids").filter((id) => typeof id === "number"),
    keepStop: sampling["include_stop_str_in_output"] === true,
    stride: beam ? Infinity : (model.switches.tokens_per_chunk ?? numberAt(sampling, "stream_interval") ?? 1),
    delay: numberAt(script, "delay_ms"),
    diesAt: numberAt(script, "die_at"),
    misfit: false,
    named: false,
  };
}

/** The tokens that a script dictates by their ids; a text in it wins. */
export function scriptedIds(script: JsonObject | undefined): Piece[] | undefined {
  const ids = stringAt(script, "ids");
  if (ids === undefined || stringAt(script, "script") !== undefined) return undefined;
  return piecesOfIds(ids.split(",").map(Number));
}

/** All tokens of all prompts, each prompt counted once. */
export function promptTokens(plan: Plan): number {
  return plan.prompts.reduce((sum, prompt) => sum + prompt.length, 0);
}

/** The stop strings: one, several or none. */
function stopStrings(sampling: JsonObject): string[] {
  const stop = sampling["stop"];
  const list = Array.isArray(stop) ? stop : [stop];
  return list.filter((text): text is string => typeof text === "string" && text !== "");
}
