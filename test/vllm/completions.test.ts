/** Completions of a real vLLM, streamed and whole: each as a client gets it, compared with what vLLM itself says. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Json } from "../support/chat-records.ts";
import { COMPLETIONS, completion, expectCompletion, textsIn, type Spoken } from "./support/operations.ts";
import { say, TEXT, USAGE } from "./support/requests.ts";
import { chunksIn, comparable, usagesIn } from "./support/said.ts";
import { ALIAS, askVllm, openStage, type Answer, type Stage } from "./support/stage.ts";

const { dialect, model } = inject("vllm");

interface Case {
  readonly name: string;
  readonly request: Json;
  readonly says: readonly Spoken<string>[];
}

const ALL_ALONG = { stream_options: { include_usage: true, continuous_usage_stats: true } };
const RAIN: Spoken<string> = ["Rain.", "stop"];

const CASES: readonly Case[] = [
  { name: "text, of several bytes a character", request: say(TEXT), says: [[TEXT, "stop"]] },
  { name: "usage, where it is asked for", request: { ...say(TEXT), ...USAGE }, says: [[TEXT, "stop"]] },
  { name: "usage all along, where it is asked for", request: { ...say(TEXT), ...ALL_ALONG }, says: [[TEXT, "stop"]] },
  {
    name: "no usage all along, where it is asked for without the one at the end",
    request: { ...say(TEXT), stream_options: { include_usage: false, continuous_usage_stats: true } },
    says: [[TEXT, "stop"]],
  },
  { name: "another name of the model", request: { ...say("Rain."), ...USAGE, model: ALIAS }, says: [RAIN] },
  { name: "nothing", request: { ...say(""), ...USAGE }, says: [["", "stop"]] },
  {
    name: "the prompt before the text",
    request: { ...say("Rain."), echo: true, ...USAGE },
    says: [["Once upon a timeRain.", "stop"]],
  },
  {
    name: "the prompt alone",
    request: { echo: true, max_tokens: 0, ...USAGE },
    says: [["Once upon a time", "length"]],
  },
  {
    name: "log-probabilities, of incomplete characters too",
    request: { ...say("Rain é☔."), logprobs: 2, ...USAGE },
    says: [["Rain é☔.", "stop"]],
  },
  {
    name: "the prompt with log-probabilities",
    request: { ...say("Rain."), echo: true, logprobs: 1 },
    says: [["Once upon a timeRain.", "stop"]],
  },
  {
    name: "text after a prompt of token ids",
    request: { ...say("Rain."), prompt: [40, 300, 500], ...USAGE },
    says: [RAIN],
  },
  { name: "token ids, of the prompt too", request: { ...say("Rain."), return_token_ids: true }, says: [RAIN] },
  {
    name: "text up to a stop string",
    request: { ...say(TEXT), stop: ["14"], ...USAGE },
    says: [["Rain later today, ", "stop"]],
  },
  {
    name: "text up to a stop string that is wanted too",
    request: { ...say(TEXT), stop: "14", include_stop_str_in_output: true },
    says: [["Rain later today, 14", "stop"]],
  },
];

/** Only Python's front end takes these. */
const SEVERAL: readonly Case[] = [
  { name: "two choices", request: { ...say("Rain."), n: 2, ...USAGE }, says: [RAIN, RAIN] },
  { name: "two prompts", request: { ...say("Rain."), prompt: ["One", "Two"], ...USAGE }, says: [RAIN, RAIN] },
  {
    name: "two choices of each of two prompts, with the prompts",
    request: { ...say("Rain."), prompt: ["One", "Two"], n: 2, echo: true },
    says: [
      ["OneRain.", "stop"],
      ["OneRain.", "stop"],
      ["TwoRain.", "stop"],
      ["TwoRain.", "stop"],
    ],
  },
  {
    name: "two prompts of token ids",
    request: { ...say("Rain."), prompt: [[40, 300], [500]], ...ALL_ALONG },
    says: [RAIN, RAIN],
  },
];

const WHOLE: readonly Case[] = [
  ...CASES.filter(({ request }) => !("stream_options" in request)),
  ...(dialect === "python" ? SEVERAL.map((one) => ({ ...one, name: `${one.name}, whole` })) : []),
];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

/** Asks vLLM and the Worker the same. */
async function both(request: Json): Promise<{ body: Json; told: Answer; heard: Answer }> {
  const body = completion(request);
  const told = await askVllm(body, COMPLETIONS);
  return { body, told, heard: await stage.ask(body, COMPLETIONS) };
}

describe(`a completions stream of the ${dialect} front end carries`, () => {
  it.each(dialect === "python" ? [...CASES, ...SEVERAL] : CASES)("$name", async ({ request, says }) => {
    const { body, told, heard } = await both(request);
    expect([told.status, heard.status]).toEqual([200, 200]);
    expectCompletion(body, told.text, heard.text);
    expect(textsIn(heard.text)).toEqual(says);
  });

  it("sixteen tokens, where the request names no limit", async () => {
    const { body, told, heard } = await both({ ...say("rain ".repeat(30)), max_tokens: undefined, ...USAGE });
    expectCompletion(body, told.text, heard.text);
    expect(textsIn(heard.text)).toEqual([[expect.stringMatching(/^(?:rain ){4}/), "length"]]);
    expect(usagesIn(heard.text)).toMatchObject([{ completion_tokens: 16 }]);
  });

  it("text up to the limit, and the limit as its finish", async () => {
    const { body, told, heard } = await both({ ...say(TEXT), max_tokens: 5, ...USAGE });
    expectCompletion(body, told.text, heard.text);
    expect(textsIn(heard.text)).toEqual([[expect.stringMatching(/^Rain later/), "length"]]);
    expect(usagesIn(heard.text)).toMatchObject([{ completion_tokens: 5 }]);
  });

  it("usage on every chunk of a stream that has it all along", async () => {
    const { heard } = await both({ ...say(TEXT), ...ALL_ALONG });
    expect(usagesIn(heard.text)).toHaveLength(chunksIn(heard.text).length);
    const counts = usagesIn(heard.text).map(({ completion_tokens: count }) => Number(count));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });
});

describe(`a whole completion of the ${dialect} front end carries`, () => {
  it.each(WHOLE)("$name", async ({ request, says }) => {
    const { told, heard } = await both({ ...request, stream: false, stream_options: undefined });
    expect([told.status, heard.status]).toEqual([200, 200]);
    expect(comparable(heard)).toEqual(comparable(told));
    const { choices, ...answer }: { choices: Json[] } = JSON.parse(heard.text);
    expect(choices.map(({ text, finish_reason: finish }) => [text, finish])).toEqual(says);
    expect(answer).toMatchObject({ object: "text_completion", model });
  });

  it("the client's own name of the model", async () => {
    const { told, heard } = await both({ ...say("Rain."), model: ALIAS, stream: false });
    expect(comparable(heard)).toEqual({ ...comparable(told), model: "my/model" });
  });
});
