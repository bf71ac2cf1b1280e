/** Answers of a real vLLM that are not streamed, compared with what vLLM itself answers to the same request. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { asObject, type Json } from "../support/chat-records.ts";
import { CALL_TIME, CALL_WEATHER, chat, NO_THINKING, say, TEXT, THINK, THOUGHT, TOOLS } from "./support/requests.ts";
import { comparable, messagesIn } from "./support/said.ts";
import { ALIAS, askVllm, openStage, type Answer, type Stage } from "./support/stage.ts";

const { dialect, model } = inject("vllm");

interface Case {
  readonly name: string;
  readonly request: Json;
  readonly message: Json;
}

const REASONING = { reasoning: THOUGHT, reasoning_content: THOUGHT };
const WEATHER = {
  id: expect.any(String),
  type: "function",
  function: { name: "get_weather", arguments: '{"city": "Paris", "days": 2}' },
};
const TIME = {
  id: expect.any(String),
  type: "function",
  function: { name: "get_time", arguments: '{"tz": "Europe/Paris"}' },
};

const CASES: readonly Case[] = [
  { name: "text", request: { ...say(TEXT), ...NO_THINKING }, message: { content: TEXT } },
  { name: "reasoning and text", request: say(THINK + TEXT), message: { ...REASONING, content: TEXT } },
  {
    name: "two calls",
    request: { ...say(THINK + CALL_WEATHER + CALL_TIME), tools: TOOLS },
    message: { ...REASONING, tool_calls: [WEATHER, TIME] },
  },
  {
    name: "log-probabilities and token ids",
    request: { ...say(THINK + TEXT), logprobs: true, top_logprobs: 1, return_token_ids: true },
    message: { ...REASONING, content: TEXT },
  },
  {
    name: "log-probabilities of the prompt",
    request: { ...say(THINK + TEXT), prompt_logprobs: 1 },
    message: { ...REASONING, content: TEXT },
  },
];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

function finishes({ text }: Answer): unknown[] {
  const { choices }: { choices: Json[] } = JSON.parse(text);
  return choices.map(({ finish_reason: finish }) => finish);
}

describe(`a whole answer of the ${dialect} front end carries`, () => {
  it.each(CASES)("$name", async ({ request, message }) => {
    const body = chat({ ...request, stream: false });
    const [told, heard] = [await askVllm(body), await stage.ask(body)];
    expect([told.status, heard.status]).toEqual([200, 200]);
    expect(comparable(heard)).toEqual(comparable(told));
    expect(messagesIn(JSON.parse(heard.text))).toMatchObject([message]);
    expect(JSON.parse(heard.text)).toMatchObject({ object: "chat.completion", model });
  });

  it("the client's own name of the model", async () => {
    const body = chat({ ...say(THINK + TEXT), model: ALIAS, stream: false });
    const [told, heard] = [await askVllm(body), await stage.ask(body)];
    expect(comparable(heard)).toEqual({ ...comparable(told), model: "my/model" });
  });

  it("tool_calls as the finish of a call that the client named, which both front ends call a stop", async () => {
    const named = { tool_choice: { type: "function", function: { name: "get_weather" } } };
    const body = chat({ ...say(CALL_WEATHER), tools: TOOLS, ...named, ...NO_THINKING, stream: false });
    const [told, heard] = [await askVllm(body), await stage.ask(body)];
    expect([finishes(told), finishes(heard)]).toEqual([["stop"], ["tool_calls"]]);
    expect(messagesIn(JSON.parse(heard.text))).toMatchObject([{ tool_calls: [WEATHER] }]);
  });

  it("the first of two calls, where the client takes no more", async () => {
    const body = chat({ ...say(CALL_WEATHER + CALL_TIME), tools: TOOLS, ...NO_THINKING, stream: false });
    const heard = await stage.ask({ ...body, parallel_tool_calls: false });
    const [message] = messagesIn(JSON.parse(heard.text));
    expect(message?.["tool_calls"]).toEqual([WEATHER]);
    expect(finishes(heard)).toEqual(["tool_calls"]);
  });

  it("the limit as its finish", async () => {
    const body = chat({ ...say(TEXT), max_tokens: 3, ...NO_THINKING, stream: false });
    const [told, heard] = [await askVllm(body), await stage.ask(body)];
    expect(comparable(heard)).toEqual(comparable(told));
    expect(finishes(heard)).toEqual(["length"]);
    expect(asObject(JSON.parse(heard.text).usage)).toMatchObject({ completion_tokens: 3 });
  });

  it("two choices, or the refusal of a front end that makes but one", async () => {
    const body = chat({ ...say(THINK + TEXT), n: 2, stream: false });
    const [told, heard] = [await askVllm(body), await stage.ask(body)];
    if (dialect === "python") {
      expect(comparable(heard)).toEqual(comparable(told));
      expect(messagesIn(JSON.parse(heard.text))).toMatchObject([{ content: TEXT }, { content: TEXT }]);
    } else {
      expect([told.status, heard.status]).toEqual([400, 400]);
      expect(JSON.parse(heard.text)).toMatchObject({ error: { message: "Only n=1 is supported.", param: "n" } });
    }
  });
});

it("the head of a whole answer has our headers, and none of the front end's", async () => {
  const { headers } = await stage.ask(chat({ ...say("ok"), ...NO_THINKING, stream: false }));
  expect(Object.keys(headers).toSorted()).toEqual([
    "cache-control",
    "content-length",
    "content-type",
    "request-id",
    "x-request-id",
  ]);
});
