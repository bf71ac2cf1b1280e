import type { Output } from "../chat/outputs.ts";
import type { JsonObject } from "../json.ts";
import type { Step } from "../steps.ts";
import type { Part } from "../text/parse.ts";
import { createPythonParser } from "../text/parse-python.ts";
import { textOfParts } from "../text/parts.ts";
import type { Answer, Dialect } from "./dialect.ts";
import { hex } from "./ids.ts";
import { logprobsOf } from "./logprobs.ts";
import { pythonWhole } from "./python-whole.ts";
import { counts } from "./usage.ts";

/** The Python server (FastAPI on uvicorn): nulls are written, the last text rides on the finish. */
export const python: Dialect = {
  name: "python",
  id: (requestId) => `chatcmpl-${requestId ?? hex(16)}`,
  parser: createPythonParser,
  streamHeaders: [
    ["server", "uvicorn"],
    ["content-type", "text/event-stream; charset=utf-8"],
    ["vary", "Origin"],
  ],
  jsonHeaders: [
    ["server", "uvicorn"],
    ["content-length", "$LENGTH"],
    ["content-type", "application/json"],
    ["vary", "Origin"],
  ],
  emptyHeaders: [
    ["server", "uvicorn"],
    ["content-length", "0"],
    ["vary", "Origin"],
  ],
  role(answer, choice) {
    const ids = answer.plan.body["return_token_ids"] === true ? answer.plan.prompt.map((piece) => piece.id) : null;
    const chunk: JsonObject = {
      ...chunkHead(answer),
      choices: [{ index: choice, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null }],
      ...eachUsage(answer, 0, 0),
      prompt_token_ids: ids,
      prompt_text: null,
    };
    return { do: "frame", kind: "role", choice, chunk };
  },
  frames(answer, output) {
    const delta = deltaOf(answer, output);
    const shown = Object.keys(delta).length > 0;
    const details = answer.plan.body["logprobs"] === true || answer.plan.body["return_token_ids"] === true;
    if (!shown && output.finish === null && !details) return [];
    if (output.finish !== null && answer.switches.finish === "separate" && shown) {
      return [frame(answer, { ...output, finish: null }, delta), frame(answer, { ...output, tokens: [] }, {})];
    }
    return [frame(answer, output, delta)];
  },
  usageFrame(answer, completion, reasoning) {
    const { cached, details } = answer.switches;
    const chunk: JsonObject = {
      ...chunkHead(answer),
      choices: [],
      usage: {
        ...counts(answer, completion),
        ...(details === true ? { prompt_tokens_details: { cached_tokens: cached ?? 0, created_cache_tokens: 0 } } : {}),
        ...(answer.plan.parsers.reasoning ? { completion_tokens_details: { reasoning_tokens: reasoning } } : {}),
      },
      ...fingerprint(answer),
    };
    return { do: "frame", kind: "usage", choice: -1, chunk };
  },
  whole: pythonWhole,
  failure(known) {
    return known === "engine-dead"
      ? {
          status: 500,
          message: "EngineCore encountered an issue. See stack trace (above) for the root cause.",
          type: "InternalServerError",
        }
      : { status: 500, message: "Internal server error", type: "InternalServerError" };
  },
  error({ status, message, type, param, code }) {
    const named: Record<number, string> = { 400: "BadRequestError", 404: "NotFoundError", 500: "InternalServerError" };
    const error = { message, type: type ?? named[status] ?? "Service Unavailable", param: param ?? null };
    return { error: { ...error, code: code ?? status } };
  },
};

function chunkHead(answer: Answer): JsonObject {
  return { id: answer.id, object: "chat.completion.chunk", created: answer.created, model: answer.model };
}

function fingerprint(answer: Answer): JsonObject {
  const value = answer.switches.fingerprint ?? "vllm-0.32.0-3195127f";
  return value === "none" ? {} : { system_fingerprint: value };
}

function eachUsage(answer: Answer, completion: number, reasoning: number): JsonObject {
  if (!answer.usage.each) return {};
  const details = answer.plan.parsers.reasoning ? { reasoning_tokens: reasoning } : null;
  return { usage: { ...counts(answer, completion), completion_tokens_details: details } };
}

function frame(answer: Answer, output: Output, delta: JsonObject): Step {
  const { choice, finish, completion, reasoning } = output;
  const called = output.called && !answer.plan.named && finish?.reason === "stop" && finish.stop === null;
  const ids = answer.plan.body["return_token_ids"] === true ? output.tokens.map((token) => token.piece.id) : null;
  const chunk: JsonObject = {
    ...chunkHead(answer),
    choices: [
      {
        index: choice,
        delta,
        logprobs: output.tokens.length > 0 ? logprobsOf(answer, output.tokens, "python") : null,
        ...(finish === null
          ? { finish_reason: null }
          : { finish_reason: called ? "tool_calls" : finish.reason, stop_reason: finish.stop }),
        token_ids: ids,
      },
    ],
    ...eachUsage(answer, completion, reasoning),
    ...(finish !== null && !answer.usage.last ? fingerprint(answer) : {}),
  };
  return { do: "frame", kind: finish === null ? "delta" : "finish", choice, chunk };
}

/** A delta has only the keys that the parser set. */
function deltaOf(answer: Answer, output: Output): JsonObject {
  if (answer.plan.raw) return { content: output.text };
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
