/** Requests, and what the model is told to say to them. */
import { inject } from "vitest";
import type { Json } from "../../support/chat-records.ts";

const MESSAGES = [{ role: "user", content: "What is the weather in Paris?" }];

export const THOUGHT = "The user wants weather… ☕";
export const TEXT = "Rain later today, 14 °C — bring a coat. ☔ 天気は雨です。";

/** Thoughts end where the marks say so. */
export const THINK = `<think>${THOUGHT}</think>`;
export const CALL_WEATHER =
  '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}\n</tool_call>';
export const CALL_TIME = '<tool_call>\n{"name": "get_time", "arguments": {"tz": "Europe/Paris"}}\n</tool_call>';

export const TOOLS = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "Weather of a city",
      parameters: {
        type: "object",
        properties: { city: { type: "string" }, days: { type: "integer" } },
        required: ["city"],
      },
    },
  },
  {
    type: "function",
    function: { name: "get_time", parameters: { type: "object", properties: { tz: { type: "string" } } } },
  },
];

/** The template puts no thinking before the answer: vLLM's parser is not to wait for its end. */
export const NO_THINKING = { chat_template_kwargs: { enable_thinking: false } };

export const USAGE = { stream_options: { include_usage: true } };

/** Returns a request for a stream; what `fields` say comes on top. */
export function chat(fields: Json): Json {
  return { model: inject("vllm").model, messages: MESSAGES, stream: true, ...fields };
}

/** The model says `script`; with `delayMs`, each of its tokens takes that long. */
export function say(script: string, delayMs?: number): Json {
  return { vllm_xargs: { script, ...(delayMs !== undefined && { delay_ms: delayMs }) } };
}
