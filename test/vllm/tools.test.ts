/** Tool calls of a real vLLM, asked for, forced and forbidden, streamed: as a client gets them. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Json } from "../support/chat-records.ts";
import { CALL_TIME, CALL_WEATHER, chat, NO_THINKING, say, THINK, THOUGHT, TOOLS, USAGE } from "./support/requests.ts";
import { chunksIn, expectAllOf, saidIn, type Said } from "./support/said.ts";
import { askVllm, openStage, type Stage } from "./support/stage.ts";

const { dialect } = inject("vllm");

interface Case {
  readonly name: string;
  readonly request: Json;
  readonly says: Said;
  /** Where the Rust front end says something else. */
  readonly rust?: Said;
}

const WEATHER = ["get_weather", '{"city": "Paris", "days": 2}'] as const;
const TIME = ["get_time", '{"tz": "Europe/Paris"}'] as const;
const NAMED = { tool_choice: { type: "function", function: { name: "get_weather" } } };

const CASES: readonly Case[] = [
  {
    name: "one call",
    request: { ...say(CALL_WEATHER), ...NO_THINKING },
    says: { calls: [WEATHER], finish: "tool_calls" },
  },
  {
    name: "a thought, text, then a call",
    request: { ...say(`${THINK}Let me look.${CALL_WEATHER}`), ...USAGE },
    says: { reasoning: THOUGHT, text: "Let me look.", calls: [WEATHER], finish: "tool_calls" },
  },
  {
    name: "two calls",
    request: { ...say(THINK + CALL_WEATHER + CALL_TIME), ...USAGE },
    says: { reasoning: THOUGHT, calls: [WEATHER, TIME], finish: "tool_calls" },
  },
  {
    name: "two calls with a line's end between, which one of the front ends takes for text",
    request: { ...say(`${CALL_WEATHER}\n${CALL_TIME}`), ...NO_THINKING },
    says: { calls: [WEATHER, TIME], finish: "tool_calls" },
    rust: { text: "\n", calls: [WEATHER, TIME], finish: "tool_calls" },
  },
  {
    name: "text after a call, which one of the front ends drops",
    request: { ...say(`${CALL_WEATHER} Done.`), ...NO_THINKING },
    says: { calls: [WEATHER], finish: "tool_calls" },
    rust: { text: " Done.", calls: [WEATHER], finish: "tool_calls" },
  },
  {
    name: "a call without arguments",
    request: { ...say('<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>'), ...NO_THINKING },
    says: { calls: [["get_time", "{}"]], finish: "tool_calls" },
  },
  {
    name: "token ids and log-probabilities beside a call",
    request: { ...say(THINK + CALL_WEATHER), return_token_ids: true, logprobs: true },
    says: { reasoning: THOUGHT, calls: [WEATHER], logprobs: true, tokenIds: true, finish: "tool_calls" },
  },
  {
    name: "usage all along beside a call",
    request: { ...say(THINK + CALL_WEATHER), stream_options: { include_usage: true, continuous_usage_stats: true } },
    says: { reasoning: THOUGHT, calls: [WEATHER], finish: "tool_calls" },
  },
  {
    name: "a call that the client forced",
    request: { ...say(CALL_WEATHER), tool_choice: "required", ...NO_THINKING, ...USAGE },
    says: { calls: [WEATHER], finish: "tool_calls" },
  },
  {
    name: "two calls that the client forced",
    request: { ...say(CALL_WEATHER + CALL_TIME), tool_choice: "required", ...NO_THINKING },
    says: { calls: [WEATHER, TIME], finish: "tool_calls" },
  },
  {
    name: "a call that the client named, whose finish both front ends call a stop",
    request: { ...say(CALL_WEATHER), ...NAMED, ...NO_THINKING, ...USAGE },
    says: { calls: [WEATHER], finish: "tool_calls" },
  },
  {
    name: "marks of a call as text, where the client forbade calls",
    request: { ...say(CALL_WEATHER), tool_choice: "none", ...NO_THINKING },
    says: { text: CALL_WEATHER, finish: "stop" },
  },
];

/** What both get is forced to one call, and the model makes two. */
const SINGLE: readonly Case[] = [
  {
    name: "where the model chose to call",
    request: { ...say(THINK + CALL_WEATHER + CALL_TIME), ...USAGE },
    says: { reasoning: THOUGHT, calls: [WEATHER], finish: "tool_calls" },
  },
  {
    name: "where the client forced a call",
    request: { ...say(CALL_WEATHER + CALL_TIME), tool_choice: "required", ...NO_THINKING },
    says: { calls: [WEATHER], finish: "tool_calls" },
  },
];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe(`a stream of the ${dialect} front end carries`, () => {
  it.each(CASES)("$name", async ({ request, says, rust = says }) => {
    const body = chat({ ...request, tools: TOOLS });
    const told = await askVllm(body);
    const heard = await stage.ask(body);
    expect([told.status, heard.status]).toEqual([200, 200]);
    expectAllOf(body, told.text, heard.text);
    expect(saidIn(heard.text)).toEqual([dialect === "rust" ? rust : says]);
  });

  it("a call that the limit cut, as far as it came", async () => {
    const body = chat({ ...say(CALL_WEATHER), tools: TOOLS, max_tokens: 20, ...NO_THINKING, ...USAGE });
    const [told, heard] = [await askVllm(body), await stage.ask(body)];
    expectAllOf(body, told.text, heard.text);
    expect(saidIn(heard.text)).toEqual([
      { calls: [["get_weather", expect.stringMatching(/^\{[^}]*$/)]], finish: "length" },
    ]);
  });
});

describe(`parallel_tool_calls: false, which the ${dialect} front end does not hear of, leaves the first call`, () => {
  it.each(SINGLE)("$name", async ({ request, says }) => {
    const body = chat({ ...request, tools: TOOLS });
    const told = await askVllm(body);
    const single = { ...body, parallel_tool_calls: false };
    const heard = await stage.ask(single);
    expectAllOf(single, told.text, heard.text);
    expect(saidIn(heard.text)).toEqual([says]);
    expect(saidIn(told.text)).toEqual([{ ...says, calls: [WEATHER, TIME] }]);
  });

  it("and vLLM, where it hears of it, has less to say", async () => {
    const { text } = await askVllm(
      chat({ ...say(CALL_WEATHER + CALL_TIME), tools: TOOLS, parallel_tool_calls: false, ...NO_THINKING }),
    );
    expect(chunksIn(text).length).toBeGreaterThan(0);
    // Python's breaks off: the sign that the gateway is still needed between.
    expect(text.includes('data: {"error":')).toBe(dialect === "python");
  });
});
