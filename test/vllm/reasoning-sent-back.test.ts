/** Reasoning that a client sends back as it got it, under both of its names, of which one front end takes but one. */
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { chat, NO_THINKING, say, TEXT, THINK, THOUGHT } from "./support/requests.ts";
import { messagesIn } from "./support/said.ts";
import { askVllm, openStage, type Stage } from "./support/stage.ts";

const { dialect } = inject("vllm");

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

it(`the ${dialect} front end goes on with an answer of its own`, async () => {
  const question = { role: "user", content: "What is the weather in Paris?" };
  const { text } = await stage.ask(chat({ ...say(THINK + TEXT), stream: false }));
  const [message] = messagesIn(JSON.parse(text));
  expect(message).toMatchObject({ reasoning: THOUGHT, reasoning_content: THOUGHT });
  const messages = [question, message, { role: "user", content: "And tomorrow?" }];
  const next = chat({ ...say("Sun."), messages, stream: false, ...NO_THINKING });
  const answer = await stage.ask(next);
  expect(messagesIn(JSON.parse(answer.text))).toMatchObject([{ content: "Sun." }]);
  // The sign that the gateway is still needed between.
  expect((await askVllm(next)).status).toBe(dialect === "rust" ? 400 : 200);
});
