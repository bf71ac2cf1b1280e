import type { Output } from "../chat/outputs.ts";
import { objectsAt, type JsonObject } from "../json.ts";
import type { Step } from "../steps.ts";
import { createRustParser } from "../text/parse-rust.ts";
import type { Part } from "../text/parse.ts";
import { textOfParts } from "../text/parts.ts";
import type { Answer, Dialect } from "./dialect.ts";
import { hex } from "./ids.ts";
import { logprobsOf } from "./logprobs.ts";
import { rustUsage, rustWhole } from "./rust-whole.ts";

/** The Rust front end (axum): only what is set is written, and the finish stands alone. */
export const rust: Dialect = {
  name: "rust",
  id: (requestId) => `chatcmpl-${requestId ?? hex(8)}`,
  parser: createRustParser,
  streamHeaders: [
    ["content-type", "text/event-stream"],
    ["cache-control", "no-cache"],
  ],
  jsonHeaders: [
    ["content-type", "application/json"],
    ["content-length", "$LENGTH"],
  ],
  emptyHeaders: [["content-length", "0"]],
  role(answer, choice) {
    const ids = answer.plan.body["return_token_ids"] === true;
    const chunk: JsonObject = {
      ...chunkOf(answer, { index: choice, delta: { role: "assistant" } }, 0, 0),
      ...(ids ? { prompt_token_ids: answer.plan.prompt.map((piece) => piece.id) } : {}),
    };
    return { do: "frame", kind: "role", choice, chunk };
  },
  frames(answer, output) {
    const steps = detailed(answer) ? together(answer, output) : apart(answer, output);
    const { finish } = output;
    if (finish === null) return steps;
    if (answer.switches.finish === "merged" && steps.length > 0) {
      const last = steps.at(-1);
      if (last?.do === "frame") Object.assign(firstChoice(last.chunk), finishKeys(output));
      return steps.map((step) => (step === last && step.do === "frame" ? { ...step, kind: "finish" } : step));
    }
    const choice = { index: output.choice, delta: {}, ...finishKeys(output) };
    return [...steps, { do: "frame", kind: "finish", choice: output.choice, chunk: chunkFor(answer, choice, output) }];
  },
  usageFrame(answer, completion, reasoning) {
    const chunk = { ...chunkOf(answer, undefined, completion, reasoning) };
    return { do: "frame", kind: "usage", choice: -1, chunk };
  },
  whole: rustWhole,
  failure(known) {
    const message =
      known === "engine-dead" ? "engine-core error: engine core reported fatal failure" : "Internal server error";
    return { status: 500, message };
  },
  error({ status, message, type, param, code }) {
    const kind = status >= 500 ? "server_error" : "invalid_request_error";
    const named = status === 404 ? "model_not_found" : kind;
    return { error: { message, type: type ?? kind, param: param ?? null, code: code ?? named } };
  },
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
    return { do: "frame", kind: "delta", choice: output.choice, chunk };
  });
}

/** With logprobs, token ids or continuous usage, one engine step is one frame. */
function together(answer: Answer, output: Output): Step[] {
  const delta = deltaOf(answer, output.parts);
  const logprobs = logprobsOf(answer, output.tokens, "rust");
  const ids = answer.plan.body["return_token_ids"] === true;
  if (Object.keys(delta).length === 0 && logprobs === null && !ids) return [];
  const choice: JsonObject = {
    index: output.choice,
    delta,
    ...(logprobs === null ? {} : { logprobs }),
    ...(ids ? { token_ids: output.tokens.map((token) => token.piece.id) } : {}),
  };
  return [{ do: "frame", kind: "delta", choice: output.choice, chunk: chunkFor(answer, choice, output) }];
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

function firstChoice(chunk: JsonObject): JsonObject {
  return objectsAt(chunk, "choices")[0] ?? {};
}
