import type { Operation } from "../engine/operation.ts";
import { planOf, scriptedIds, type Plan } from "../engine/plan.ts";
import { listAt, numberAt, objectAt, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import type { ParserOptions } from "../text/parse.ts";
import { END, piecesOf, type Piece } from "../text/pieces.ts";
import { promptText, toolChoice } from "./request.ts";
import { speak } from "./speak.ts";

/** `POST /v1/chat/completions`. */
export const CHAT: Operation = { name: "chat", prompts, plan };

function prompts(body: JsonObject): Piece[][] {
  return [piecesOf(promptText(body))];
}

function plan(body: JsonObject, model: Model): Plan {
  const choice = toolChoice(body);
  const script = model.voice === "script" ? objectAt(body, "vllm_xargs") : undefined;
  const speech = speak(body, model);
  const asked = planOf(
    {
      body,
      sampling: body,
      prompts: prompts(body),
      script,
      said: (index) => scriptedIds(script) ?? [...piecesOf(speech.text(index)), END],
      most: numberAt(body, "max_completion_tokens") ?? numberAt(body, "max_tokens"),
    },
    model,
  );
  const configured = model.switches.parsers ?? "both";
  const forced = choice === "required" || typeof choice === "object";
  const tools = (configured === "both" || configured === "tools") && listAt(body, "tools").length > 0;
  const parsers: ParserOptions = {
    reasoning: configured === "both" || configured === "reasoning",
    thinking: speech.thinking,
    // A forced call that arrives as bare JSON stays text: only hermes text is read.
    tools: tools && choice !== "none",
    onlyFirstCall: body["parallel_tool_calls"] === false,
  };
  return {
    ...asked,
    parsers,
    raw: !parsers.reasoning && !parsers.tools,
    misfit: forced && !speech.text(0).includes("<tool_call>"),
    named: typeof choice === "object",
  };
}
