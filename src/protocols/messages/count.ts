/** `POST /v1/messages/count_tokens`: https://docs.anthropic.com/en/api/messages-count-tokens */
import { GatewayError } from "../../core/errors.ts";
import { parseObject } from "../../core/json/object.ts";
import { errorIn } from "../../vllm/error-chunk.ts";
import { readErrorChunk } from "../../vllm/errors.ts";
import { reword, type Names } from "../../vllm/reword.ts";
import type { Call, WholeAnswer } from "../protocol.ts";
import type { JsonBody } from "../read-json.ts";
import { keepInnerDigits } from "./request/digits.ts";
import { translateCount } from "./request/index.ts";

/** Returns the call that lets the origin's tokenizer count what the request would be as a chat. */
export function readCount(body: JsonBody): Call {
  const request = keepInnerDigits(body);
  const model = String(request["model"]);
  const chat = translateCount(request);
  return {
    kind: "whole",
    model,
    promptParam: "messages",
    forward: (named) => JSON.stringify({ model: named ?? model, ...chat }),
    whole: (answer, named) => readTokenized(answer, { client: model, origin: named }),
  };
}

function readTokenized(body: string, names: Names): WholeAnswer {
  const answer = parseObject(body);
  const error = answer && errorIn(answer);
  if (error !== undefined) throw reword(readErrorChunk(error), names);
  const count = answer?.["count"];
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0) {
    throw new GatewayError("origin_protocol", "The origin's answer holds no count of tokens.");
  }
  return { json: JSON.stringify({ input_tokens: count }), tokens: undefined };
}
