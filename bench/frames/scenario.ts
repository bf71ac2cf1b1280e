/** What is asked for, and what the origin says to it: known to the load generator and to the origin alike. */
import { chat, content, reasoning, thoughtful } from "./chat.ts";
import { completions } from "./completions.ts";
import type { Ask, Script, UsageAsked } from "./frames.ts";
import { generate } from "./generate.ts";
import { toolsOfPython, toolsOfRust, WEATHER_TOOL, WEATHER_TOOL_IN_MESSAGES } from "./tools.ts";

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
  /** The same request in Anthropic's Messages: Sluice and its rivals are asked this, and make the other of it. */
  readonly inMessages?: object;
  /** The most CPU that Sluice may take, in floors. */
  readonly goal: number;
  /** How many more events Sluice makes of the origin's frames. */
  readonly added?: number;
}

const CHAT = "/v1/chat/completions";
const UNCHANGED = 1.15;
const REPAIRED = 1.3;
const TRANSLATED = 1.5;
const messages = [{ role: "user", content: "What is the weather in Paris?" }];

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "chat",
    path: CHAT,
    request: { messages },
    usage: "last",
    script: (ask) => chat(content, ask),
    goal: UNCHANGED,
  },
  {
    name: "chat-usage-stripped",
    path: CHAT,
    request: { messages },
    usage: "none",
    script: (ask) => chat(content, ask),
    goal: REPAIRED,
  },
  {
    name: "chat-reasoning",
    path: CHAT,
    request: { messages },
    usage: "last",
    script: (ask) => chat(reasoning, ask),
    goal: REPAIRED,
  },
  {
    name: "chat-tools-python",
    path: CHAT,
    request: { messages, tools: [WEATHER_TOOL] },
    usage: "last",
    script: toolsOfPython,
    goal: REPAIRED,
  },
  {
    name: "chat-tools-rust",
    path: CHAT,
    request: { messages, tools: [WEATHER_TOOL] },
    usage: "last",
    script: toolsOfRust,
    goal: REPAIRED,
  },
  {
    name: "chat-n2",
    path: CHAT,
    request: { messages, n: 2 },
    usage: "last",
    script: (ask) => chat(content, ask, 2),
    goal: UNCHANGED,
  },
  {
    name: "completions",
    path: "/v1/completions",
    request: { prompt: "Once upon a time", max_tokens: 1000 },
    usage: "last",
    script: completions,
    goal: UNCHANGED,
    // The finish carries text, and becomes two.
    added: 1,
  },
  {
    name: "generate",
    path: "/inference/v1/generate",
    request: { token_ids: [40, 300, 500, 77], sampling_params: { max_tokens: 1000 } },
    usage: "last",
    script: generate,
    goal: UNCHANGED,
  },
  {
    name: "messages",
    path: CHAT,
    request: { messages, max_tokens: 1000 },
    usage: "each",
    script: (ask) => chat(content, ask),
    inMessages: { messages, max_tokens: 1000 },
    goal: TRANSLATED,
    // The block's start and end for one of usage and finish.
    added: 1,
  },
  {
    name: "messages-reasoning",
    path: CHAT,
    request: { messages, max_tokens: 1000 },
    usage: "each",
    script: thoughtful,
    inMessages: { messages, max_tokens: 1000 },
    goal: TRANSLATED,
    // The starts and ends of two blocks and a signature, for one of usage and finish.
    added: 4,
  },
  {
    name: "messages-tools",
    path: CHAT,
    request: { messages, max_tokens: 1000, tools: [WEATHER_TOOL] },
    usage: "each",
    script: toolsOfPython,
    inMessages: { messages, max_tokens: 1000, tools: [WEATHER_TOOL_IN_MESSAGES] },
    goal: TRANSLATED,
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
