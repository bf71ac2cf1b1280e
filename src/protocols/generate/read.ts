import { GatewayError } from "../../core/errors.ts";
import { Envelope } from "../../vllm/envelope.ts";
import { repairGenerate, repairWholeGenerate } from "../../vllm/generate/repair.ts";
import { checkGenerateRequest } from "../../vllm/generate/request.ts";
import { modelNotFound } from "../../vllm/reword.ts";
import { refuse } from "../../vllm/rules.ts";
import { readUsageAsk } from "../../vllm/usage/ask.ts";
import { openAICall, readModel } from "../openai-call.ts";
import type { Call, CallParts } from "../protocol.ts";
import type { JsonBody } from "../read-json.ts";

/** Returns the call in a generate request's body. What it does not look at passes on as the client wrote it. */
export function readGenerate(body: JsonBody, parts: CallParts): Call {
  const request = body.json;
  checkModel(request["model"], parts.models);
  checkGenerateRequest(request);
  const repairParts = {
    envelope: generateEnvelope(readModel(request), parts),
    choices: request.sampling_params.n ?? 1,
    usage: readUsageAsk(request),
    maxWaiting: parts.maxFrameBytes,
    maxTokens: undefined,
    promptTokens: request.token_ids.length,
    promptLength: () => 0,
  };
  return openAICall({
    body,
    edits: {},
    promptParam: "token_ids",
    repair: () => repairGenerate(repairParts),
    repairWhole: (answer) => repairWholeGenerate(answer, repairParts.choices, readModel(request)),
  });
}

/** vLLM's chunks say no more of themselves than their request's id; a model or a time comes with all of them or with none. */
function generateEnvelope(model: string | undefined, { newId }: CallParts): Envelope {
  const made = newId("generate-tokens-");
  return new Envelope(
    (first) => ({
      request_id: typeof first["request_id"] === "string" && first["request_id"] !== "" ? first["request_id"] : made,
      ...("model" in first && { model: model ?? first["model"] }),
      ...("created" in first && { created: first["created"] }),
    }),
    ["model", "created"],
  );
}

/** Whether the model is served comes before every other rule; an origin without a list decides for itself. */
function checkModel(model: unknown, served: CallParts["models"]): void {
  if (model === undefined || model === null) return;
  if (typeof model !== "string") throw refuse("model", '"model" must be a string.');
  if (model !== "" && (served === undefined || served.has(model))) return;
  const message = model === "" ? "The model's name must not be empty." : modelNotFound(model);
  throw new GatewayError("model_not_found", message, { param: "model" });
}
