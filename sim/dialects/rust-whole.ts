import type { Output } from "../chat/outputs.ts";
import type { JsonObject } from "../json.ts";
import { callsOfParts, textOfParts } from "../text/parts.ts";
import type { Answer } from "./dialect.ts";
import { hex } from "./ids.ts";
import { logprobsOf } from "./logprobs.ts";
import { promptLogprobs } from "./prompt-logprobs.ts";
import { counts } from "./usage.ts";

/** Rust's usage: both details always there, the prompt's only when something was cached, and only at the end. */
export function rustUsage(answer: Answer, completion: number, reasoning: number, last: boolean): JsonObject {
  const { cached, details } = answer.switches;
  const shown = last && details === true && cached !== undefined && cached > 0;
  return {
    ...counts(answer, completion),
    prompt_tokens_details: shown ? { cached_tokens: cached } : null,
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** A whole answer of the Rust front end. */
export function rustWhole(answer: Answer, choices: Output[][]): JsonObject {
  const { plan } = answer;
  const last = choices[0]?.at(-1);
  const ids = plan.body["return_token_ids"] === true;
  return {
    id: answer.id,
    object: "chat.completion",
    created: answer.created,
    model: answer.model,
    choices: choices.map((outputs, index) => choiceOf(answer, outputs, index, ids)),
    usage: rustUsage(answer, last?.completion ?? 0, last?.reasoning ?? 0, true),
    system_fingerprint: null,
    prompt_logprobs: promptLogprobs(plan),
    prompt_token_ids: ids ? plan.prompt.map((piece) => piece.id) : null,
    kv_transfer_params: null,
    ec_transfer_params: null,
  };
}

function choiceOf(answer: Answer, outputs: Output[], index: number, ids: boolean): JsonObject {
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
    logprobs: logprobsOf(answer, tokens, "rust"),
    finish_reason: called ? "tool_calls" : (finish?.reason ?? null),
    stop_reason: finish?.stop ?? null,
    token_ids: ids ? tokens.map((token) => token.piece.id) : null,
  };
}
