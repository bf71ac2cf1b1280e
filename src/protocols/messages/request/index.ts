/**
 * A Messages request as vLLM's chat request. https://docs.anthropic.com/en/api/messages
 *
 * What a model of vLLM's cannot honour is refused by name. What clients send always and what changes nothing of the
 * answer is ignored: cache_control, service_tier, context_management and the like, and metadata, whose user_id may be
 * personal and is nothing to vLLM.
 */
import type { JsonObject } from "../../../core/json/object.ts";
import { checkStreaming } from "../../../vllm/sampling.ts";
import { translateConversation } from "./conversation.ts";
import { readObject } from "./fields.ts";
import { checkNesting } from "./nesting.ts";
import { readOutput } from "./output.ts";
import { readPassed } from "./passed.ts";
import { checkAnswer, checkPrompt } from "./rules.ts";
import { readThinking } from "./thinking.ts";
import { readToolChoice } from "./tool-choice.ts";
import { readTools } from "./tools.ts";

export interface Translated {
  /** The chat request without model, stream and stream_options, which the caller sets; its keys in a fixed order. */
  readonly chat: Readonly<Record<string, unknown>>;
  /** The sequences at which the client wants to stop. */
  readonly stopSequences: readonly string[];
  /** Whether only the first tool call is wanted (`disable_parallel_tool_use`). */
  readonly single: boolean;
  /** Whether thinking blocks are to be sent without their text (`thinking.display: "omitted"`). */
  readonly omitsThinking: boolean;
}

/**
 * Returns the chat request that a Messages request makes. `window`: the model's most tokens of prompt and answer
 * together, where known; `max_tokens` is at most that. Throws `invalid_request`, naming the parameter.
 */
export function translateMessages(request: JsonObject, window: number | undefined): Translated {
  checkNesting(request);
  checkPrompt(request);
  checkAnswer(request);
  const passed = readPassed(request);
  const max_tokens = readLimit(request, window);
  checkStreaming({ max_tokens, min_tokens: passed["min_tokens"] });
  const { response_format, reasoning_effort = request["reasoning_effort"] } = readOutput(request);
  const prompt = readPrompt(request);
  const stopSequences = readStops(request["stop_sequences"]);
  const chat = present({
    messages: prompt.messages,
    max_tokens,
    temperature: request["temperature"],
    top_p: request["top_p"],
    top_k: request["top_k"],
    stop: stopSequences.length > 0 ? stopSequences : undefined,
    tools: prompt.tools,
    tool_choice: prompt.choice,
    response_format,
    reasoning_effort,
    ...prompt.template,
    ...passed,
  });
  return { chat, stopSequences, single: prompt.single, omitsThinking: prompt.omitsThinking };
}

/**
 * Returns the body of vLLM's /tokenize, without its model, that counts the tokens of a Messages request's prompt.
 * Throws `invalid_request`, naming the parameter.
 */
export function translateCount(request: JsonObject): Readonly<Record<string, unknown>> {
  checkNesting(request);
  checkPrompt(request);
  const { messages, tools, template } = readPrompt(request);
  return present({ messages, tools, ...template });
}

/** What becomes text before the model. */
function readPrompt(request: JsonObject) {
  const tools = readTools(request);
  const { choice, single } = readToolChoice(request, tools);
  const { kwargs, omitted } = readThinking(request);
  const { messages, prefilled } = translateConversation(request);
  const chat_template_kwargs = { ...kwargs, ...readObject(request, "chat_template_kwargs", "") };
  return {
    messages,
    tools: tools.list.length > 0 ? tools.list : undefined,
    choice,
    single,
    omitsThinking: omitted,
    template: {
      chat_template_kwargs: Object.keys(chat_template_kwargs).length > 0 ? chat_template_kwargs : undefined,
      ...(prefilled ? { add_generation_prompt: false, continue_final_message: true } : {}),
    },
  };
}

/** Clients warm a cache with 0; vLLM gives one token at least. */
function readLimit({ max_tokens: asked }: JsonObject, window: number | undefined): number {
  return Math.max(1, Math.min(typeof asked === "number" ? asked : 1, window ?? Number.POSITIVE_INFINITY));
}

function readStops(sequences: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(sequences) ? sequences : [];
  return list.filter((sequence) => typeof sequence === "string");
}

/** `null` means the same as a field that is not there. */
function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
