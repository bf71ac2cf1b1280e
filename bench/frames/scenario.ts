/** What is asked for, and what the origin says to it: known to the load generator and to the origin alike. */
import { chat, content, reasoning } from "./chat.ts";
import { completions } from "./completions.ts";
import type { Ask, Script, UsageAsked } from "./frames.ts";
import { generate } from "./generate.ts";
import { toolsOfPython, toolsOfRust, WEATHER_TOOL } from "./tools.ts";

export interface Scenario {
  /** As its rows and `model` name it. */
  readonly name: string;
  readonly path: string;
  /** The request, but for its model and the wish for a stream. */
  readonly request: object;
  /** What of usage the client asks for. */
  readonly usage: UsageAsked;
  /** What the origin says. */
  readonly script: (ask: Ask) => Script;
  /** Whether Sluice has something to change in it. */
  readonly repaired: boolean;
  /** Frames that Sluice adds: a finish that carries text becomes two. */
  readonly added?: number;
}

const CHAT = "/v1/chat/completions";
const messages = [{ role: "user", content: "What is the weather in Paris?" }];

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "chat",
    path: CHAT,
    request: { messages },
    usage: "last",
    script: (ask) => chat(content, ask),
    repaired: false,
  },
  {
    name: "chat-usage-stripped",
    path: CHAT,
    request: { messages },
    usage: "none",
    script: (ask) => chat(content, ask),
    repaired: true,
  },
  {
    name: "chat-reasoning",
    path: CHAT,
    request: { messages },
    usage: "last",
    script: (ask) => chat(reasoning, ask),
    repaired: true,
  },
  {
    name: "chat-tools-python",
    path: CHAT,
    request: { messages, tools: [WEATHER_TOOL] },
    usage: "last",
    script: toolsOfPython,
    repaired: true,
  },
  {
    name: "chat-tools-rust",
    path: CHAT,
    request: { messages, tools: [WEATHER_TOOL] },
    usage: "last",
    script: toolsOfRust,
    repaired: true,
  },
  {
    name: "chat-n2",
    path: CHAT,
    request: { messages, n: 2 },
    usage: "last",
    script: (ask) => chat(content, ask, 2),
    repaired: false,
  },
  {
    name: "completions",
    path: "/v1/completions",
    request: { prompt: "Once upon a time", max_tokens: 1000 },
    usage: "last",
    script: completions,
    repaired: false,
    added: 1,
  },
  {
    name: "generate",
    path: "/inference/v1/generate",
    request: { token_ids: [40, 300, 500, 77], sampling_params: { max_tokens: 1000 } },
    usage: "last",
    script: generate,
    repaired: false,
  },
];

/** The plainest of all, that every contender is measured with. */
export const PLAIN = named("chat");

export function named(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`there is no scenario ${JSON.stringify(name)}`);
  return found;
}

/** How many steps make a stream of about `events` frames, and how many frames it then has to the frame. */
export function lengthOf({ script, usage }: Scenario, events: number): { steps: number; events: number } {
  const { opening, middle, closing } = script({ model: "", usage });
  const each = middle(0).length;
  const steps = Math.max(0, Math.floor((events - opening.length - closing.length) / each));
  return { steps, events: opening.length + steps * each + closing.length };
}
