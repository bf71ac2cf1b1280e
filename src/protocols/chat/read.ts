import type { JsonObject } from "../../core/json/object.ts";
import { withoutThinkingWhenForced } from "../../vllm/chat/forced.ts";
import { repairChat, type ChatRepairParts } from "../../vllm/chat/repair.ts";
import { underOneName } from "../../vllm/chat/reasoning-sent-back.ts";
import { chatLimit, checkChatRequest, promptLength } from "../../vllm/chat/request.ts";
import { repairWholeChat } from "../../vllm/chat/whole.ts";
import { readUsageAsk } from "../../vllm/usage/ask.ts";
import { answerEnvelope, openAICall } from "../openai-call.ts";
import type { Call, CallParts } from "../protocol.ts";
import type { JsonBody } from "../read-json.ts";

/** Returns the call in a chat request's body. What it does not look at passes on as the client wrote it. */
export function readChat(body: JsonBody, parts: CallParts): Call {
  const request = body.json;
  checkChatRequest(request);
  const repairParts = readParts(request, parts);
  return openAICall({
    body,
    // Ours to keep: vLLM breaks the stream off where a model calls a second time all the same.
    edits: {
      ...(repairParts.single && { parallel_tool_calls: undefined }),
      ...underOneName(body),
      ...withoutThinkingWhenForced(body, parts.thinkingWhenForced),
    },
    promptParam: "messages",
    repair: () => repairChat(repairParts),
    repairWhole: (answer) => repairWholeChat(answer, repairParts),
  });
}

function readParts(request: JsonObject, parts: CallParts): ChatRepairParts {
  const object = request["stream"] === true ? "chat.completion.chunk" : "chat.completion";
  return {
    envelope: answerEnvelope(request, object, "chatcmpl-", parts),
    choices: typeof request["n"] === "number" ? request["n"] : 1,
    usage: readUsageAsk(request),
    maxTokens: chatLimit(request),
    promptLength: () => promptLength(request["messages"]),
    single: request["parallel_tool_calls"] === false,
    maxWaiting: parts.maxFrameBytes,
    newId: parts.newId,
  };
}
