import { repairCompletions, repairWholeCompletion } from "../../vllm/completions/repair.ts";
import { checkCompletionRequest, completionLimit, countPrompts, promptLength } from "../../vllm/completions/request.ts";
import { readUsageAsk } from "../../vllm/usage/ask.ts";
import { answerEnvelope, openAICall } from "../openai-call.ts";
import type { Call, CallParts } from "../protocol.ts";
import type { JsonBody } from "../read-json.ts";

/** Returns the call in a completions request's body. What it does not look at passes on as the client wrote it. */
export function readCompletion(body: JsonBody, parts: CallParts): Call {
  const request = body.json;
  checkCompletionRequest(request);
  const perPrompt = typeof request["n"] === "number" ? request["n"] : 1;
  const repairParts = {
    envelope: answerEnvelope(request, "text_completion", "cmpl-", parts),
    choices: countPrompts(request) * perPrompt,
    choicesPerPrompt: perPrompt,
    usage: readUsageAsk(request),
    maxWaiting: parts.maxFrameBytes,
    maxTokens: completionLimit(request),
    promptLength: () => promptLength(request),
  };
  return openAICall({
    body,
    edits: {},
    promptParam: "prompt",
    repair: () => repairCompletions(repairParts),
    repairWhole: (answer) => repairWholeCompletion(answer, repairParts),
  });
}
