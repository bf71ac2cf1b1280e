import type { Output } from "../engine/outputs.ts";
import type { JsonObject } from "../json.ts";
import { callsOfParts, textOfParts } from "../text/parts.ts";
import { chatLogprobs } from "./chat-logprobs.ts";
import { hex } from "./ids.ts";
import { promptLogprobs } from "./prompt-logprobs.ts";
import { counts } from "./usage.ts";
import { idsOf, promptIdsOf, type Answer } from "./wire.ts";

/** A whole answer of the Python server: every key is there, most of them null. */
export function pythonChatWhole(answer: Answer, choices: Output[][]): JsonObject {
  const { plan, switches } = answer;
  const last = choices.map((outputs) => outputs.at(-1));
  const completion = last.reduce((sum, output) => sum + (output?.completion ?? 0), 0);
  const reasoning = last.reduce((sum, output) => sum + (output?.reasoning ?? 0), 0);
  return {
    id: answer.id,
    object: "chat.completion",
    created: answer.created,
    model: answer.model,
    choices: choices.map((outputs, index) => choiceOf(answer, outputs, index)),
    service_tier: null,
    system_fingerprint: switches.fingerprint === "none" ? null : (switches.fingerprint ?? "vllm-0.32.0-3195127f"),
    usage: {
      ...counts(answer, completion),
      prompt_tokens_details:
        switches.details === true
          ? { cached_tokens: switches.cached ?? 0, created_cache_tokens: 0, multimodal_tokens: null }
          : null,
      completion_tokens_details: plan.parsers.reasoning ? { reasoning_tokens: reasoning } : null,
    },
    prompt_logprobs: promptLogprobs(answer),
    prompt_token_ids: promptIdsOf(answer, 0),
    prompt_text: null,
    kv_transfer_params: null,
    ec_transfer_params: null,
    metrics: null,
  };
}

function choiceOf(answer: Answer, outputs: Output[], index: number): JsonObject {
  const { plan, switches } = answer;
  const parts = outputs.flatMap((output) => output.parts);
  const calls = callsOfParts(parts);
  const content = plan.raw ? outputs.map((output) => output.text).join("") : textOfParts(parts, "content");
  const reasoning = plan.body["include_reasoning"] === false ? "" : textOfParts(parts, "reasoning");
  const finish = outputs.at(-1)?.finish ?? null;
  const key = switches.reasoning ?? "reasoning";
  const tokens = outputs.flatMap((output) => output.tokens);
  // White space beside calls is no content; a named tool without a call leaves an empty string.
  const said = calls.length > 0 && content.trim() === "" ? "" : content;
  return {
    index,
    message: {
      role: "assistant",
      content: said !== "" ? said : plan.named || plan.raw ? "" : null,
      refusal: null,
      annotations: null,
      audio: null,
      function_call: null,
      ...(calls.length > 0
        ? {
            tool_calls: calls.map((call) => ({
              id: `chatcmpl-tool-${hex(16)}`,
              type: "function",
              function: { name: call.name, arguments: call.arguments },
            })),
          }
        : {}),
      ...(key === "none" ? {} : { [key]: reasoning === "" ? null : reasoning }),
    },
    logprobs: chatLogprobs(answer, tokens, "python"),
    finish_reason:
      calls.length > 0 && !plan.named && finish?.reason === "stop" && finish.stop === null
        ? "tool_calls"
        : (finish?.reason ?? null),
    stop_reason: finish?.stop ?? null,
    token_ids: idsOf(answer, tokens),
    routed_experts: null,
  };
}
