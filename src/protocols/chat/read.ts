import { GatewayError } from "../../core/errors.ts";
import { editObject, type Edits } from "../../core/json/edit.ts";
import { isObject, parseObject, type JsonObject } from "../../core/json/object.ts";
import type { Tokens } from "../../core/machine.ts";
import { repairChat, type ChatRepairParts } from "../../vllm/chat/repair.ts";
import { checkChatRequest } from "../../vllm/chat/request.ts";
import { repairWholeChat } from "../../vllm/chat/whole.ts";
import { readErrorChunk } from "../../vllm/errors.ts";
import { askForUsage, readUsageAsk } from "../../vllm/usage/ask.ts";
import { readTokens } from "../../vllm/usage/tokens.ts";
import { OpenAIAnswer } from "../openai-answer.ts";
import type { Call, CallParts, WholeAnswer } from "../protocol.ts";
import { readJson } from "../read-json.ts";

/** Returns the call in a chat request's body. What it does not look at passes on as the client wrote it. */
export function readChat(body: string, parts: CallParts): Call {
  const request = readJson(body);
  checkChatRequest(request);
  const model = typeof request["model"] === "string" && request["model"] !== "" ? request["model"] : undefined;
  const stream = request["stream"] === true;
  const repairParts = readParts(request, model, parts);
  const edits: Edits = {
    ...(stream ? askForUsage(body, repairParts.usage) : {}),
    // Ours to keep: vLLM breaks the stream off where a model calls a second time all the same.
    ...(repairParts.single ? { parallel_tool_calls: undefined } : {}),
  };
  return {
    model,
    stream,
    forward: (name) => editObject(body, name === model ? edits : { ...edits, model: name }),
    answer: () => new OpenAIAnswer(repairChat(repairParts), "messages"),
    whole: (answer) => readWhole(answer, repairParts),
  };
}

function readParts(request: JsonObject, model: string | undefined, parts: CallParts): ChatRepairParts {
  const limit = request["max_completion_tokens"] ?? request["max_tokens"];
  const stream = request["stream"] === true;
  return {
    envelope: {
      object: stream ? "chat.completion.chunk" : "chat.completion",
      id: parts.newId("chatcmpl-"),
      model,
      created: Math.floor(parts.now() / 1_000),
    },
    choices: typeof request["n"] === "number" ? request["n"] : 1,
    usage: readUsageAsk(request),
    maxTokens: typeof limit === "number" ? limit : undefined,
    promptLength: () => promptLength(request["messages"]),
    single: request["parallel_tool_calls"] === false,
    maxWaiting: parts.maxFrameBytes,
    newId: parts.newId,
  };
}

/** Returns the characters of text in the messages; pictures and the like are not counted. */
function promptLength(messages: unknown): number {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  return list.reduce<number>((sum, message) => sum + (isObject(message) ? contentLength(message["content"]) : 0), 0);
}

function contentLength(content: unknown): number {
  if (typeof content === "string") return content.length;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts.reduce<number>((sum, part) => {
    return sum + (isObject(part) && typeof part["text"] === "string" ? part["text"].length : 0);
  }, 0);
}

function readWhole(body: string, parts: ChatRepairParts): WholeAnswer {
  const answer = parseObject(body);
  if (!answer) throw new GatewayError("origin_protocol", "The origin's answer is not a JSON object.");
  if (answer["error"]) throw readErrorChunk(answer["error"]);
  const repaired = repairWholeChat(answer, parts);
  if (repaired instanceof GatewayError) throw repaired;
  return { json: repaired === answer ? body : JSON.stringify(repaired), tokens: toldTokens(repaired["usage"]) };
}

/** An estimate is for the client, who can see that it is one. */
function toldTokens(usage: unknown): Tokens | undefined {
  return isObject(usage) && usage["estimated"] === true ? undefined : readTokens(usage);
}
