import { GatewayError } from "../../core/errors.ts";
import { editObject } from "../../core/json/edit.ts";
import { isObject, parseObject, type JsonObject } from "../../core/json/object.ts";
import { readErrorChunk } from "../../vllm/errors.ts";
import { readTokens } from "../../vllm/usage.ts";
import type { Call, WholeAnswer } from "../protocol.ts";
import { ChatAnswer } from "./answer.ts";

/** Returns the call in a chat request's body. What it does not look at passes on as the client wrote it. */
export function readChat(body: string): Call {
  const request = readObject(body);
  const { model, stream, n } = request;
  if (model !== undefined && model !== null && typeof model !== "string") {
    throw invalid("model", '"model" must be a string.');
  }
  if (stream !== undefined && stream !== null && typeof stream !== "boolean") {
    throw invalid("stream", '"stream" must be true or false.');
  }
  const expected = typeof n === "number" && Number.isInteger(n) && n > 0 ? n : 1;
  return {
    model: model ?? undefined,
    stream: stream === true,
    forward: (name) => (name === undefined || name === model ? body : editObject(body, { model: name })),
    answer: () => new ChatAnswer(expected),
    whole: readWhole,
  };
}

function readObject(body: string): JsonObject {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    throw new GatewayError("invalid_request", "The request body is not valid JSON.");
  }
  if (isObject(request)) return request;
  throw new GatewayError("invalid_request", "The request body must be a JSON object.");
}

function readWhole(body: string): WholeAnswer {
  const answer = parseObject(body);
  if (!answer) throw new GatewayError("origin_protocol", "The origin's answer is not a JSON object.");
  if (answer["error"]) throw readErrorChunk(answer["error"]);
  return { json: body, tokens: readTokens(answer["usage"]) };
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError("invalid_request", message, { param });
}
