/** One tool call whose arguments come a token at a time, as Python's server and as the Rust front end write it. */
import { finish, middle, opening, usageFrame } from "./chat.ts";
import { frame, word, type Ask, type Script } from "./frames.ts";

const NAME = "get_weather";

/** Text inside the one long string of the arguments, so that they are a JSON value once they are all there. */
const fragment = (step: number): string => word(step);
const START = '{"city": "';
const END = '"}';

/** Python: `content: null` beside every fragment, and no arguments beside the name. */
export function toolsOfPython({ model, usage }: Ask): Script {
  const delta = (call: object) => middle(model, 0, { content: null, tool_calls: [call] });
  const argument = (text: string) => delta({ index: 0, function: { arguments: text } });
  const call = { id: "chatcmpl-tool-a987ac850f41630d", type: "function", index: 0, function: { name: NAME } };
  return {
    opening: [opening(model, 0), delta(call), argument(START)],
    middle: (step) => [argument(fragment(step))],
    closing: [argument(END), finish(model, 0, "tool_calls", usage), ...(usage ? [usageFrame(model)] : [])],
  };
}

const RUST_CHUNK = { id: "chatcmpl-1d3b4715", object: "chat.completion.chunk", created: 1795968805 };

/** Rust: nothing that is null is written, and no text stands beside the role. */
export function toolsOfRust({ model, usage }: Ask): Script {
  const chunk = (choice: object) => frame({ ...RUST_CHUNK, model, choices: [{ index: 0, ...choice }] });
  const delta = (call: object) => chunk({ delta: { tool_calls: [call] } });
  const argument = (text: string) => delta({ index: 0, function: { arguments: text } });
  const call = { index: 0, id: "call_f9eefa3bcdec47d0bdbdd789", type: "function", function: { name: NAME } };
  const counts = {
    prompt_tokens: 189,
    total_tokens: 390,
    completion_tokens: 201,
    prompt_tokens_details: null,
    completion_tokens_details: { reasoning_tokens: 0 },
  };
  return {
    opening: [chunk({ delta: { role: "assistant" } }), delta(call), argument(START)],
    middle: (step) => [argument(fragment(step))],
    closing: [
      argument(END),
      chunk({ delta: {}, finish_reason: "tool_calls" }),
      ...(usage ? [frame({ ...RUST_CHUNK, model, choices: [], usage: counts })] : []),
    ],
  };
}

export const WEATHER_TOOL = {
  type: "function",
  function: {
    name: NAME,
    description: "Weather of a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};
