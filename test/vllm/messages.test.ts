/** Messages in front of a real vLLM: what the model says as Anthropic's clients get it, streamed and whole. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { asList, asObject, type Json } from "../support/chat-records.ts";
import {
  accumulate,
  askBoth,
  COUNT,
  DISABLED,
  message,
  MESSAGE_TOOLS,
  MESSAGES,
  QUESTION,
} from "./support/messages.ts";
import { CALL_TIME, CALL_WEATHER, say, TEXT, THINK, THOUGHT } from "./support/requests.ts";
import { ALIAS, countTokens, openStage, type Stage } from "./support/stage.ts";

const { dialect, model } = inject("vllm");

interface Case {
  readonly name: string;
  readonly request: Json;
  readonly content: readonly Json[];
  /** Where the Rust front end says something else. */
  readonly rust?: readonly Json[];
  readonly stop: string;
}

const text = (said: string): Json => ({ type: "text", text: said, citations: null });
const thinking = (said: string): Json => ({ type: "thinking", thinking: said, signature: "c2x1aWNlOnVuc2lnbmVk" });
const call = (name: string, input: object): Json => ({
  type: "tool_use",
  id: expect.stringMatching(/^toolu_[\w-]+$/),
  name,
  input,
  caller: { type: "direct" },
});
const WEATHER = call("get_weather", { city: "Paris", days: 2 });
const TIME = call("get_time", { tz: "Europe/Paris" });
const tools = MESSAGE_TOOLS;

const CASES: readonly Case[] = [
  {
    name: "text, of several bytes a character",
    request: { ...say(TEXT), ...DISABLED },
    content: [text(TEXT)],
    stop: "end_turn",
  },
  {
    name: "a thought, then text",
    request: say(THINK + TEXT),
    content: [thinking(THOUGHT), text(TEXT)],
    stop: "end_turn",
  },
  {
    name: "a thought that the client asked for",
    request: { ...say(THINK + TEXT), thinking: { type: "enabled", budget_tokens: 1_024 }, max_tokens: 1_100 },
    content: [thinking(THOUGHT), text(TEXT)],
    stop: "end_turn",
  },
  {
    name: "a thought whose text the client does not want",
    request: { ...say(THINK + TEXT), thinking: { type: "adaptive", display: "omitted" } },
    content: [thinking(""), text(TEXT)],
    stop: "end_turn",
  },
  {
    name: "a thought that is never over, and an empty text behind it",
    request: say("<think>hm, wait"),
    content: [thinking("hm, wait"), text("")],
    stop: "end_turn",
  },
  { name: "nothing", request: { ...say(""), ...DISABLED }, content: [text("")], stop: "end_turn" },
  {
    name: "a call",
    request: { ...say(CALL_WEATHER), tools, ...DISABLED },
    content: [WEATHER],
    stop: "tool_use",
  },
  {
    name: "a thought, text, then a call",
    request: { ...say(`${THINK}Let me look.${CALL_WEATHER}`), tools },
    content: [thinking(THOUGHT), text("Let me look."), WEATHER],
    stop: "tool_use",
  },
  {
    name: "two calls, and no block of the line's end between them",
    request: { ...say(`${CALL_WEATHER}\n${CALL_TIME}`), tools, ...DISABLED },
    content: [WEATHER, TIME],
    stop: "tool_use",
  },
  {
    name: "the first of two calls, where the client takes no more",
    request: {
      ...say(CALL_WEATHER + CALL_TIME),
      tools,
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      ...DISABLED,
    },
    content: [WEATHER],
    stop: "tool_use",
  },
  {
    name: "text after a call, which one of the front ends drops",
    request: { ...say(`${CALL_WEATHER} Done.`), tools, ...DISABLED },
    content: [WEATHER],
    rust: [WEATHER, text(" Done.")],
    stop: "tool_use",
  },
  {
    name: "a call without arguments",
    request: { ...say('<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>'), tools, ...DISABLED },
    content: [call("get_time", {})],
    stop: "tool_use",
  },
  {
    name: "a call that the client forced",
    request: { ...say(CALL_WEATHER), tools, tool_choice: { type: "any" }, ...DISABLED },
    content: [WEATHER],
    stop: "tool_use",
  },
  {
    name: "a call that the client named",
    request: { ...say(CALL_WEATHER), tools, tool_choice: { type: "tool", name: "get_weather" }, ...DISABLED },
    content: [WEATHER],
    stop: "tool_use",
  },
  {
    name: "marks of a call as text, where the client forbade calls",
    request: { ...say(CALL_WEATHER), tools, tool_choice: { type: "none" }, ...DISABLED },
    content: [text(CALL_WEATHER)],
    stop: "end_turn",
  },
  {
    name: "structured output",
    request: {
      ...say('{"city": "Paris"}'),
      output_config: {
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: { city: { type: "string" } },
            required: ["city"],
            additionalProperties: false,
          },
        },
      },
      ...DISABLED,
    },
    content: [text('{"city": "Paris"}')],
    stop: "end_turn",
  },
  {
    name: "what comes after the client's own beginning of the answer",
    request: {
      ...say(" rain."),
      messages: [QUESTION, { role: "assistant", content: "There will be" }],
      ...DISABLED,
    },
    content: [text(" rain.")],
    stop: "end_turn",
  },
];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe(`a message of the ${dialect} front end, streamed and whole, carries`, () => {
  it.each(CASES)("$name", async ({ request, content, rust = content, stop }) => {
    expect(await askBoth(stage, message(request))).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      model,
      content: dialect === "rust" ? rust : content,
      stop_reason: stop,
      stop_sequence: null,
      usage: { output_tokens: expect.toSatisfy((count) => count > 0) },
    });
  });

  it("text up to the limit", async () => {
    const answer = await askBoth(stage, message({ ...say(TEXT), max_tokens: 5, ...DISABLED }));
    expect(answer).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 5 } });
    expect(TEXT.startsWith(String(asList(answer["content"])[0]?.["text"]))).toBe(true);
  });

  it("the beginning of a call that the limit cut", async () => {
    const answer = await askBoth(stage, message({ ...say(CALL_WEATHER), tools, max_tokens: 20, ...DISABLED }));
    expect(answer).toMatchObject({ stop_reason: "max_tokens", content: [call("get_weather", {})] });
  });

  it("text up to a sequence at which the client wants it to stop", async () => {
    const answer = await askBoth(stage, message({ ...say(TEXT), stop_sequences: ["never", "14"], ...DISABLED }));
    expect(answer).toMatchObject({
      content: [text("Rain later today, ")],
      stop_reason: "stop_sequence",
      stop_sequence: "14",
    });
  });

  it("the client's own name of the model", async () => {
    const answer = await askBoth(stage, message({ ...say(TEXT), model: ALIAS, ...DISABLED }));
    expect(answer).toMatchObject({ model: "my/model", content: [text(TEXT)] });
  });

  it("the prompt's tokens from its beginning, and what of them was cached at its end", async () => {
    const content = `Remember ${crypto.randomUUID()}: ${"the weather in Paris ".repeat(60)}`;
    const messages = [{ role: "user", content }];
    const asked = message({ ...say("ok"), messages, stream: true, ...DISABLED });
    await stage.ask(asked, MESSAGES);
    const { text: stream } = await stage.ask(asked, MESSAGES);
    const prompt = await countTokens(messages, { enable_thinking: false });
    const start = asObject(JSON.parse(/^data: (.*)$/m.exec(stream)?.[1] ?? ""));
    expect(start).toMatchObject({ message: { usage: { input_tokens: prompt, output_tokens: 0 } } });
    const usage = asObject(accumulate(stream)["usage"]);
    expect(usage["cache_read_input_tokens"]).toSatisfy((count) => Number(count) >= 128);
    expect(Number(usage["input_tokens"]) + Number(usage["cache_read_input_tokens"])).toBe(prompt);
  });
});

it("a conversation with thoughts, calls and their results goes on", async () => {
  const first = await askBoth(stage, message({ ...say(THINK + CALL_WEATHER + CALL_TIME), tools }));
  const calls = asList(first["content"]).filter(({ type }) => type === "tool_use");
  const results = calls.map(({ id, name }) => ({
    type: "tool_result",
    tool_use_id: id,
    content: `${String(name)}: fine`,
  }));
  const messages = [
    QUESTION,
    { role: "assistant", content: first["content"] },
    { role: "user", content: [...results, { type: "text", text: "Well?" }] },
  ];
  const second = await askBoth(stage, message({ ...say(`${THINK}Fine.`), tools, messages }));
  expect(second).toMatchObject({ content: [thinking(THOUGHT), text("Fine.")], stop_reason: "end_turn" });
});

describe("count_tokens", () => {
  const conversation = {
    system: [{ type: "text", text: "Be brief." }],
    messages: [QUESTION, { role: "assistant", content: "Rain." }, { role: "user", content: "And tomorrow?" }],
    tools,
  };

  it.each([
    { name: "a question", request: {} },
    { name: "a question without thinking", request: DISABLED },
    { name: "a conversation with a system prompt and tools", request: conversation },
  ])("counts what the message then has: $name", async ({ request }) => {
    const { max_tokens: _limit, ...asked } = message(request);
    const { status, text: counted } = await stage.ask(asked, COUNT);
    expect(status).toBe(200);
    const { usage } = await askBoth(stage, message({ ...say(`${THINK}ok`), ...request }));
    const { input_tokens: fresh, cache_read_input_tokens: cached } = asObject(usage);
    expect(JSON.parse(counted)).toEqual({ input_tokens: Number(fresh) + Number(cached) });
  });
});
