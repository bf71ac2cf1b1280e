import type { Output } from "../engine/outputs.ts";
import type { JsonObject } from "../json.ts";
import { callsOfParts, textOfParts } from "../text/parts.ts";
import { chatLogprobs } from "./chat-logprobs.ts";
import { hex } from "./ids.ts";
import { promptLogprobs } from "./prompt-logprobs.ts";
import { rustUsage } from "./usage.ts";
import { idsOf, promptIdsOf, type Answer } from "./wire.ts";

/** A whole answer of the Rust front end. */
export function rustChatWhole(answer: Answer, choices: Output[][]): JsonObject {
  const last = choices[0]?.at(-1);
  return {
    id: answer.id,
    object: "chat.completion",
    created: answer.created,
    model: answer.model,
    choices: choices.map((outputs, index) => choiceOf(answer, outputs, index)),
    usage: rustUsage(answer, last?.completion ?? 0, last?.reasoning ?? 0, true),
    system_fingerprint: null,
    prompt_logprobs: promptLogprobs(answer),
    prompt_token_ids: promptIdsOf(answer, 0),
    kv_transfer_params: null,
    ec_transfer_params: null,
  };
}

function choiceOf(answer: Answer, outputs: Output[], index: number): JsonObject {
  const parts = outputs.flatMap((output) => output.parts);
  const tokens = outputs.flatMap((output) => output.tokens);
  const calls = callsOfParts(parts);
  const content = textOfParts(parts, "content");
  const reasoning = answer.plan.body["include_reasoning"] === false ? "" : textOfParts(parts, "reasoning");
  const finish = outputs.at(-1)?.finish ?? null;
  const key = answer.switches.reasoning ?? "reasoning";
  const called = calls.length > 0 && finish?.reason === "stop" && finish.stop === null;
  return {
    index,
    message: {
      role: "assistant",
      content: content === "" ? null : content,
      ...(calls.length > 0
        ? {
            tool_calls: calls.map((call) => ({
              id: `call_${hex(24)}`,
              type: "function",
              function: { name: call.name, arguments: call.arguments },
            })),
          }
        : {}),
      ...(key === "none" ? {} : { [key]: reasoning === "" ? null : reasoning }),
    },
    logprobs: chatLogprobs(answer, tokens, "rust"),
    finish_reason: called ? "tool_calls" : (finish?.reason ?? null),
    stop_reason: finish?.stop ?? null,
    token_ids: idsOf(answer, tokens),
  };
}
