import type { Output } from "../engine/outputs.ts";
import type { JsonObject } from "../json.ts";
import type { Step } from "../steps.ts";
import type { Part } from "../text/parse.ts";
import { textOfParts } from "../text/parts.ts";
import { chatLogprobs } from "./chat-logprobs.ts";
import { hex } from "./ids.ts";
import { pythonChatWhole } from "./python-chat-whole.ts";
import { fingerprint } from "./python-fingerprint.ts";
import { counts } from "./usage.ts";
import { frameOf, idsOf, promptIdsOf, usageStep, type Answer, type Wire } from "./wire.ts";

/** Chat as the Python server frames it. */
export const pythonChat: Wire = {
  id: (requestId) => `chatcmpl-${requestId ?? hex(16)}`,
  finish: "riding",
  opening(answer, choice) {
    const chunk: JsonObject = {
      ...chunkHead(answer),
      choices: [{ index: choice, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null }],
      ...eachUsage(answer, 0, 0),
      prompt_token_ids: promptIdsOf(answer, choice),
      prompt_text: null,
    };
    return [{ do: "frame", kind: "role", choice, chunk }];
  },
  frames(answer, output) {
    const delta = deltaOf(answer, output);
    const shown = Object.keys(delta).length > 0;
    const details = answer.plan.body["logprobs"] === true || answer.plan.body["return_token_ids"] === true;
    return shown || output.finish !== null || details ? [frame(answer, output, delta)] : [];
  },
  usageFrame(answer, completion, reasoning) {
    const { cached, details } = answer.switches;
    return usageStep({
      ...chunkHead(answer),
      choices: [],
      usage: {
        ...counts(answer, completion),
        ...(details === true ? { prompt_tokens_details: { cached_tokens: cached ?? 0, created_cache_tokens: 0 } } : {}),
        ...(answer.plan.parsers.reasoning ? { completion_tokens_details: { reasoning_tokens: reasoning } } : {}),
      },
      ...fingerprint(answer),
    });
  },
  whole: pythonChatWhole,
};

function chunkHead(answer: Answer): JsonObject {
  return { id: answer.id, object: "chat.completion.chunk", created: answer.created, model: answer.model };
}

function eachUsage(answer: Answer, completion: number, reasoning: number): JsonObject {
  if (!answer.usage.each) return {};
  const details = answer.plan.parsers.reasoning ? { reasoning_tokens: reasoning } : null;
  return { usage: { ...counts(answer, completion), completion_tokens_details: details } };
}

function frame(answer: Answer, output: Output, delta: JsonObject): Step {
  const { choice, finish, completion, reasoning } = output;
  const called = output.called && !answer.plan.named && finish?.reason === "stop" && finish.stop === null;
  const chunk: JsonObject = {
    ...chunkHead(answer),
    choices: [
      {
        index: choice,
        delta,
        logprobs: output.tokens.length > 0 ? chatLogprobs(answer, output.tokens, "python") : null,
        ...(finish === null
          ? { finish_reason: null }
          : { finish_reason: called ? "tool_calls" : finish.reason, stop_reason: finish.stop }),
        token_ids: idsOf(answer, output.tokens),
      },
    ],
    ...eachUsage(answer, completion, reasoning),
    ...(finish !== null && !answer.usage.last ? fingerprint(answer) : {}),
  };
  return frameOf(output, chunk);
}

/** A delta has only the keys that the parser set. */
function deltaOf(answer: Answer, output: Output): JsonObject {
  // A finish without a token has nothing to say, the empty text included.
  if (answer.plan.raw) return output.tokens.length === 0 ? {} : { content: output.text };
  const { parts } = output;
  const excluded = answer.plan.body["include_reasoning"] === false;
  const content = textOfParts(parts, "content");
  const reasoning = excluded ? "" : textOfParts(parts, "reasoning");
  const calls = callDeltas(parts);
  const key = answer.switches.reasoning ?? "reasoning";
  const delta: JsonObject = {};
  if (content !== "" || calls.length > 0) delta["content"] = content === "" ? null : content;
  if (excluded && "content" in delta) delta["reasoning"] = null;
  if (reasoning !== "" && key !== "none") delta[key] = reasoning;
  if (calls.length > 0) delta["tool_calls"] = calls;
  return delta;
}

/** One entry for each call in the output; its name and its arguments together where both are there. */
function callDeltas(parts: readonly Part[]): JsonObject[] {
  const calls = new Map<number, { head: JsonObject; fn: { name?: string; arguments?: string } }>();
  for (const part of parts) {
    if (part.kind === "call") {
      const head = { id: `chatcmpl-tool-${hex(16)}`, type: "function" };
      calls.set(part.index, { head, fn: { name: part.name } });
    } else if (part.kind === "arguments") {
      const call = calls.get(part.index) ?? { head: {}, fn: {} };
      call.fn.arguments = (call.fn.arguments ?? "") + part.text;
      calls.set(part.index, call);
    }
  }
  return [...calls].map(([index, { head, fn }]) => ({ ...head, index, function: { ...fn } }));
}
