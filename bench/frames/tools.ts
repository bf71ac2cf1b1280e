/** One tool call whose arguments come a token at a time, as Python's server and as the Rust front end write it. */
import { finish, middle, opening, usageFrames, words } from "./chat.ts";
import { countsOf, frame, TOKENS, tokensAt, word, type Ask, type Script } from "./frames.ts";

const NAME = "get_weather";

/** Text inside the one long string of the arguments, so that they are a JSON value once they are all there. */
const fragment = (step: number): string => word(step);
const START = '{"city": "';
const END = '"}';

/** Python: `content: null` beside every fragment, and no arguments beside the name. */
export function toolsOfPython(ask: Ask): Script {
  const delta = (call: object, tokens: number) => middle(ask, 0, { content: null, tool_calls: [call] }, words(tokens));
  const argument = (text: string, tokens: number) => delta({ index: 0, function: { arguments: text } }, tokens);
  const call = { id: "chatcmpl-tool-a987ac850f41630d", type: "function", index: 0, function: { name: NAME } };
  const said = words(TOKENS);
  return {
    opening: [opening(ask, 0), delta(call, 1), argument(START, 1)],
    middle: (step) => [argument(fragment(step), tokensAt(step))],
    closing: [argument(END, TOKENS), finish(ask, 0, "tool_calls", said), ...usageFrames(ask, said)],
  };
}

const RUST_CHUNK = { id: "chatcmpl-1d3b4715", object: "chat.completion.chunk", created: 1795968805 };
const PROMPT = 189;

/** Rust: nothing that is null is written but in usage, and no text stands beside the role. */
export function toolsOfRust({ model, usage }: Ask): Script {
  const chunk = (choice: object, tokens: number) =>
    frame({ ...RUST_CHUNK, model, choices: [{ index: 0, ...choice }], ...(usage === "each" && rustUsage(tokens)) });
  const delta = (call: object, tokens: number) => chunk({ delta: { tool_calls: [call] } }, tokens);
  const argument = (text: string, tokens: number) => delta({ index: 0, function: { arguments: text } }, tokens);
  const call = { index: 0, id: "call_f9eefa3bcdec47d0bdbdd789", type: "function", function: { name: NAME } };
  return {
    opening: [chunk({ delta: { role: "assistant" } }, 0), delta(call, 1), argument(START, 1)],
    middle: (step) => [argument(fragment(step), tokensAt(step))],
    closing: [
      argument(END, TOKENS),
      chunk({ delta: {}, finish_reason: "tool_calls" }, TOKENS),
      ...(usage === "none" ? [] : [frame({ ...RUST_CHUNK, model, choices: [], ...rustUsage(TOKENS) })]),
    ],
  };
}

function rustUsage(tokens: number): object {
  const details = { prompt_tokens_details: null, completion_tokens_details: { reasoning_tokens: 0 } };
  return { usage: { ...countsOf(PROMPT, tokens), ...details } };
}

const DESCRIPTION = "Weather of a city";
const PARAMETERS = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

export const WEATHER_TOOL = {
  type: "function",
  function: { name: NAME, description: DESCRIPTION, parameters: PARAMETERS },
};

export const WEATHER_TOOL_IN_MESSAGES = { name: NAME, description: DESCRIPTION, input_schema: PARAMETERS };
