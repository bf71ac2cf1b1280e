/** What chat, completions and generate have in common: they are forwarded as they came and answered in OpenAI's framing. */
import { GatewayError } from "../core/errors.ts";
import { editObject, type Edits } from "../core/json/edit.ts";
import { isObject, parseObject, type JsonObject } from "../core/json/object.ts";
import type { Tokens } from "../core/machine.ts";
import { openAIEnvelope, type Envelope } from "../vllm/envelope.ts";
import { errorIn } from "../vllm/error-chunk.ts";
import { readErrorChunk } from "../vllm/errors.ts";
import { finishReasonsOf } from "../vllm/finish.ts";
import type { Repair } from "../vllm/repair.ts";
import { RepairedFrames } from "../vllm/frames.ts";
import { reword, type Names } from "../vllm/reword.ts";
import { askForUsage, readUsageAsk } from "../vllm/usage/ask.ts";
import { readTokens } from "../vllm/usage/tokens.ts";
import { OpenAIAnswer } from "./openai-answer.ts";
import type { Call, CallParts, WholeAnswer } from "./protocol.ts";
import type { JsonBody } from "./read-json.ts";

export interface OpenAICallParts {
  readonly body: JsonBody;
  /** What of the request is changed on its way, beside usage and the model's name. */
  readonly edits: Edits;
  /** The parameter under which an overflow of the context is reported. */
  readonly promptParam: string;
  readonly repair: () => Repair;
  /** Returns the answer itself where nothing is to be repaired; or the failure that it stands for. */
  readonly repairWhole: (answer: JsonObject) => JsonObject | GatewayError;
}

export function openAICall({ body, edits, promptParam, repair, repairWhole }: OpenAICallParts): Call {
  const { text, json: request } = body;
  const model = readModel(request);
  const stream = request["stream"] === true;
  const all = stream ? { ...askForUsage(text, readUsageAsk(request)), ...edits } : edits;
  const forward = (name: string | undefined): string =>
    editObject(text, name === model ? all : { ...all, model: name });
  return stream
    ? {
        kind: "stream",
        model,
        promptParam,
        forward,
        answer: (named) => {
          const frames = new RepairedFrames(repair(), promptParam, { client: model, origin: named });
          return new OpenAIAnswer(frames);
        },
      }
    : {
        kind: "whole",
        model,
        promptParam,
        forward,
        whole: (answer, named) => readWhole(answer, promptParam, { client: model, origin: named }, repairWhole),
      };
}

/** Returns the model that the request names; an empty name and `null` leave the choice to the origin. */
export function readModel({ model }: JsonObject): string | undefined {
  return typeof model === "string" && model !== "" ? model : undefined;
}

/** Returns the envelope of the request's answer; `prefix` is that of an id of our own. */
export function answerEnvelope(request: JsonObject, object: string, prefix: string, parts: CallParts): Envelope {
  return openAIEnvelope({
    object,
    id: parts.newId(prefix),
    model: readModel(request),
    created: Math.floor(parts.now() / 1_000),
  });
}

function readWhole(
  body: string,
  promptParam: string,
  names: Names,
  repairWhole: OpenAICallParts["repairWhole"],
): WholeAnswer {
  const answer = parseObject(body);
  if (!answer) throw new GatewayError("origin_protocol", "The origin's answer is not a JSON object.");
  const error = errorIn(answer);
  if (error !== undefined) throw reword(readErrorChunk(error, promptParam), names);
  const repaired = repairWhole(answer);
  if (repaired instanceof GatewayError) throw repaired;
  return {
    json: repaired === answer ? body : toJson(repaired),
    tokens: toldTokens(repaired["usage"]),
    finishReasons: finishReasonsOf(repaired),
  };
}

/** An estimate is for the client, who can see that it is one. */
function toldTokens(usage: unknown): Tokens | undefined {
  return isObject(usage) && usage["estimated"] === true ? undefined : readTokens(usage);
}

/** An answer that is nested deeper than JSON can be written again is none of the protocol's. */
function toJson(answer: JsonObject): string {
  try {
    return JSON.stringify(answer);
  } catch (cause) {
    throw new GatewayError("origin_protocol", "The origin's answer cannot be written again.", { cause });
  }
}
