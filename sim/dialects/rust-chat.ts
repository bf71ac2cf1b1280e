import type { Output } from "../engine/outputs.ts";
import { objectsAt, type JsonObject } from "../json.ts";
import type { Step } from "../steps.ts";
import type { Part } from "../text/parse.ts";
import { textOfParts } from "../text/parts.ts";
import { chatLogprobs } from "./chat-logprobs.ts";
import { hex } from "./ids.ts";
import { rustChatWhole } from "./rust-chat-whole.ts";
import { rustUsage } from "./usage.ts";
import { frameOf, idsOf, promptIdsOf, usageStep, type Answer, type Wire } from "./wire.ts";

/** Chat as the Rust front end frames it: only what is set is written, and the finish stands alone. */
export const rustChat: Wire = {
  id: (requestId) => `chatcmpl-${requestId ?? hex(8)}`,
  finish: "alone",
  opening(answer, choice) {
    const ids = promptIdsOf(answer, choice);
    const chunk: JsonObject = {
      ...chunkOf(answer, { index: choice, delta: { role: "assistant" } }, 0, 0),
      ...(ids === null ? {} : { prompt_token_ids: ids }),
    };
    return [{ do: "frame", kind: "role", choice, chunk }];
  },
  frames(answer, output) {
    const { finish, tokens } = output;
    const steps = tokens.length === 0 ? [] : detailed(answer) ? together(answer, output) : apart(answer, output);
    if (finish === null) return steps;
    const last = steps.pop();
    if (last?.do === "frame") {
      Object.assign(objectsAt(last.chunk, "choices")[0] ?? {}, finishKeys(output));
      return [...steps, { ...last, kind: "finish" }];
    }
    const choice = { index: output.choice, delta: {}, ...finishKeys(output) };
    return [frameOf(output, chunkFor(answer, choice, output))];
  },
  usageFrame: (answer, completion, reasoning) => usageStep(chunkOf(answer, undefined, completion, reasoning)),
  whole: rustChatWhole,
};

function chunkOf(answer: Answer, choice: JsonObject | undefined, completion: number, reasoning: number): JsonObject {
  return {
    id: answer.id,
    object: "chat.completion.chunk",
    created: answer.created,
    model: answer.model,
    choices: choice === undefined ? [] : [choice],
    ...(choice === undefined || answer.usage.each
      ? { usage: rustUsage(answer, completion, reasoning, choice === undefined) }
      : {}),
  };
}

function detailed({ plan, usage }: Answer): boolean {
  return usage.each || plan.body["logprobs"] === true || plan.body["return_token_ids"] === true;
}

function chunkFor(answer: Answer, choice: JsonObject, output: Output): JsonObject {
  return chunkOf(answer, choice, output.completion, output.reasoning);
}

/** Each thing that the parser found is a frame of its own. */
function apart(answer: Answer, output: Output): Step[] {
  return output.parts.flatMap((part) => {
    const delta = deltaOf(answer, [part]);
    if (Object.keys(delta).length === 0) return [];
    const chunk = chunkFor(answer, { index: output.choice, delta }, output);
    return frameOf({ choice: output.choice, finish: null }, chunk);
  });
}

/** With logprobs, token ids or continuous usage, one engine step is one frame. */
function together(answer: Answer, output: Output): Step[] {
  const delta = deltaOf(answer, output.parts);
  const logprobs = chatLogprobs(answer, output.tokens, "rust");
  const ids = idsOf(answer, output.tokens);
  if (Object.keys(delta).length === 0 && logprobs === null && ids === null) return [];
  const choice: JsonObject = {
    index: output.choice,
    delta,
    ...(logprobs === null ? {} : { logprobs }),
    ...(ids === null ? {} : { token_ids: ids }),
  };
  return [frameOf({ choice: output.choice, finish: null }, chunkFor(answer, choice, output))];
}

function deltaOf(answer: Answer, parts: readonly Part[]): JsonObject {
  const key = answer.switches.reasoning ?? "reasoning";
  const hidden = key === "none" || answer.plan.body["include_reasoning"] === false;
  const content = textOfParts(parts, "content");
  const reasoning = hidden ? "" : textOfParts(parts, "reasoning");
  const calls = parts.flatMap(callDelta);
  return {
    ...(content === "" ? {} : { content }),
    ...(reasoning === "" ? {} : { [key]: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function callDelta(part: Part): JsonObject[] {
  if (part.kind === "call") {
    return [{ index: part.index, id: `call_${hex(24)}`, type: "function", function: { name: part.name } }];
  }
  return part.kind === "arguments" ? [{ index: part.index, function: { arguments: part.text } }] : [];
}

function finishKeys({ finish, called }: Output): JsonObject {
  if (finish === null) return {};
  const reason = called && finish.reason === "stop" && finish.stop === null ? "tool_calls" : finish.reason;
  return { finish_reason: reason, ...(finish.stop === null ? {} : { stop_reason: finish.stop }) };
}
