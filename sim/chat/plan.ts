import { listAt, numberAt, objectAt, stringAt, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import type { ParserOptions } from "../text/parse.ts";
import { END, piecesOf, piecesOfIds, type Piece } from "../text/pieces.ts";
import { promptText, stopStrings, tokenLimit, toolChoice } from "./request.ts";
import { speak } from "./speak.ts";

/** What the model is going to say, before any dialect has put it into frames. */
export interface Plan {
  body: JsonObject;
  stream: boolean;
  /** The tokens of each choice, the end mark included where the model ends by itself. */
  choices: Piece[][];
  prompt: Piece[];
  parsers: ParserOptions;
  /** No parser is at work at all: each token then shows as a frame. */
  raw: boolean;
  limit: number;
  stops: string[];
  stopIds: number[];
  keepStop: boolean;
  /** Tokens per frame after the first. */
  stride: number;
  /** The engine dies before this token. */
  diesAt: number | undefined;
  /** Required or named tools, or structured output, that the text does not fit: Rust fails after its first token. */
  misfit: boolean;
  /** A named tool: the calls end with `stop` in Python. */
  named: boolean;
}

export function planFor(body: JsonObject, model: Model): Plan {
  const { switches } = model;
  const prompt = piecesOf(promptText(body));
  const choice = toolChoice(body);
  const forced = choice === "required" || typeof choice === "object";
  const xargs = objectAt(body, "vllm_xargs");
  const scripted = model.voice === "script" && xargs !== undefined;
  const configured = switches.parsers ?? "both";
  const said = speak(body, model);
  const count = model.dialect === "python" ? Math.max(1, numberAt(body, "n") ?? 1) : 1;
  const choices = Array.from({ length: count }, (_, index): Piece[] => {
    const ids = scripted ? stringAt(xargs, "ids") : undefined;
    if (ids !== undefined && stringAt(xargs, "script") === undefined) return piecesOfIds(ids.split(",").map(Number));
    return [...piecesOf(said.text(index)), END];
  });
  // Beam search has its answer at the end, all at once, and it always uses what it was given.
  const beam = model.dialect === "python" && body["use_beam_search"] === true;
  const room = beam ? (choices[0]?.length ?? 2) - 1 : model.window - prompt.length;
  const reasoning = configured === "both" || configured === "reasoning";
  const tools = (configured === "both" || configured === "tools") && listAt(body, "tools").length > 0;
  const parsers: ParserOptions = {
    reasoning,
    thinking: said.thinking,
    // A forced call that arrives as bare JSON stays text: only hermes text is read.
    tools: tools && choice !== "none",
    onlyFirstCall: body["parallel_tool_calls"] === false,
  };
  return {
    body,
    stream: body["stream"] === true,
    choices,
    prompt,
    parsers,
    raw: !reasoning && !parsers.tools,
    limit: tokenLimit(body, room),
    stops: stopStrings(body),
    stopIds: listAt(body, "stop_token_ids").filter((id) => typeof id === "number"),
    keepStop: body["include_stop_str_in_output"] === true,
    stride: beam ? Infinity : (switches.tokens_per_chunk ?? numberAt(body, "stream_interval") ?? 1),
    diesAt: model.voice === "script" ? numberAt(xargs, "die_at") : undefined,
    misfit: forced && !said.text(0).includes("<tool_call>"),
    named: typeof choice === "object",
  };
}
