/** Chat streams of a real vLLM: each as a client gets it, compared with what vLLM itself says to the same request. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Json } from "../support/chat-records.ts";
import { chat, NO_THINKING, say, TEXT, THINK, THOUGHT, USAGE } from "./support/requests.ts";
import { chunksIn, expectAllOf, saidIn, usagesIn, type Said } from "./support/said.ts";
import { ALIAS, askVllm, openStage, type Stage } from "./support/stage.ts";

const { dialect } = inject("vllm");

interface Case {
  readonly name: string;
  readonly request: Json;
  readonly says: Said;
  /** Where the Rust front end says something else. */
  readonly rust?: Said;
}

const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, temp: { type: "number" } },
  required: ["city", "temp"],
  additionalProperties: false,
};
const STRUCTURED = { response_format: { type: "json_schema", json_schema: { name: "weather", schema: SCHEMA } } };
const JSON_TEXT = '{"city": "Paris", "temp": 14.5}';
const BOTH: Said = { reasoning: THOUGHT, text: TEXT, finish: "stop" };

const CASES: readonly Case[] = [
  {
    name: "text, of several bytes a character, whose usage nobody asked for",
    request: { ...say(TEXT), ...NO_THINKING },
    says: { text: TEXT, finish: "stop" },
  },
  { name: "reasoning, then text", request: say(THINK + TEXT), says: BOTH },
  {
    name: "usage, where it is asked for",
    request: { ...say(THINK + TEXT), ...USAGE },
    says: BOTH,
  },
  {
    name: "usage all along, where it is asked for",
    request: { ...say(THINK + TEXT), stream_options: { include_usage: true, continuous_usage_stats: true } },
    says: BOTH,
  },
  {
    name: "no usage all along, where it is asked for without the one at the end",
    request: { ...say(THINK + TEXT), stream_options: { include_usage: false, continuous_usage_stats: true } },
    says: BOTH,
  },
  { name: "another name of the model", request: { ...say(THINK + TEXT), ...USAGE, model: ALIAS }, says: BOTH },
  {
    name: "white space around a thought, which one of the front ends drops",
    request: say("<think>\nhm\n</think>\n\nRain."),
    says: { reasoning: "\nhm\n", text: "\n\nRain.", finish: "stop" },
    rust: { reasoning: "hm", text: "Rain.", finish: "stop" },
  },
  {
    name: "text without a thought, which one of the front ends takes for one",
    request: say("Rain."),
    says: { reasoning: "Rain.", finish: "stop" },
    rust: { text: "Rain.", finish: "stop" },
  },
  {
    name: "a thought that is never over",
    request: { ...say("<think>hm, wait"), ...USAGE },
    says: { reasoning: "hm, wait", finish: "stop" },
  },
  {
    name: "text behind a thought that the client does not want",
    request: { ...say(THINK + TEXT), include_reasoning: false, ...USAGE },
    says: { text: TEXT, finish: "stop" },
  },
  { name: "nothing", request: { ...say(""), ...NO_THINKING, ...USAGE }, says: { finish: "stop" } },
  {
    name: "structured output",
    request: { ...say(JSON_TEXT), ...STRUCTURED, ...NO_THINKING },
    says: { text: JSON_TEXT, finish: "stop" },
  },
  {
    name: "structured output without a thought, which one of the front ends takes for one",
    request: { ...say(JSON_TEXT), ...STRUCTURED },
    says: { reasoning: JSON_TEXT, finish: "stop" },
    rust: { text: JSON_TEXT, finish: "stop" },
  },
  {
    name: "log-probabilities, of incomplete characters too",
    request: { ...say(`${THINK}Rain é☔.`), logprobs: true, top_logprobs: 2, ...USAGE },
    says: { reasoning: THOUGHT, text: "Rain é☔.", logprobs: true, finish: "stop" },
  },
  {
    name: "token ids, of the prompt too",
    request: { ...say(THINK + TEXT), return_token_ids: true, ...USAGE },
    says: { ...BOTH, tokenIds: true },
  },
  {
    name: "text up to a stop string",
    request: { ...say(TEXT), stop: ["14"], ...NO_THINKING },
    says: { text: "Rain later today, ", finish: "stop" },
  },
  {
    name: "text up to a stop string that is wanted too",
    request: { ...say(TEXT), stop: ["14"], include_stop_str_in_output: true, ...NO_THINKING, ...USAGE },
    says: { text: "Rain later today, 14", finish: "stop" },
  },
  {
    name: "its beginning, where the last message is to be continued",
    request: {
      ...say(" rain."),
      ...NO_THINKING,
      messages: [
        { role: "user", content: "Well?" },
        { role: "assistant", content: "There will be" },
      ],
      add_generation_prompt: false,
      continue_final_message: true,
    },
    says: { text: " rain.", finish: "stop" },
  },
];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe(`a stream of the ${dialect} front end carries`, () => {
  it.each(CASES)("$name", async ({ request, says, rust = says }) => {
    const body = chat(request);
    const told = await askVllm(body);
    const heard = await stage.ask(body);
    expect([told.status, heard.status]).toEqual([200, 200]);
    expectAllOf(body, told.text, heard.text);
    expect(saidIn(heard.text)).toEqual([dialect === "rust" ? rust : says]);
  });

  it("text up to the limit, and the limit as its finish", async () => {
    const body = chat({ ...say(TEXT), max_tokens: 5, ...NO_THINKING, ...USAGE });
    const [told, heard] = [await askVllm(body), await stage.ask(body)];
    expectAllOf(body, told.text, heard.text);
    const [said] = saidIn(heard.text);
    expect(said?.finish).toBe("length");
    expect(TEXT.startsWith(said?.text ?? "?")).toBe(true);
    expect(usagesIn(heard.text)).toMatchObject([{ completion_tokens: 5 }]);
  });

  it("usage on every chunk of a stream that has it all along", async () => {
    const heard = await stage.ask(
      chat({ ...say(THINK + TEXT), stream_options: { include_usage: true, continuous_usage_stats: true } }),
    );
    expect(usagesIn(heard.text)).toHaveLength(chunksIn(heard.text).length);
    const counts = usagesIn(heard.text).map(({ completion_tokens: count }) => Number(count));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });

  it("the tokens that were cached", async () => {
    const messages = [
      { role: "user", content: `Remember ${crypto.randomUUID()}: ${"the weather in Paris ".repeat(60)}` },
    ];
    const body = chat({ ...say("ok"), messages, ...NO_THINKING, ...USAGE });
    await stage.ask(body);
    const [usage] = usagesIn((await stage.ask(body)).text);
    const written = dialect === "python" ? { created_cache_tokens: 0, cache_write_tokens: 0 } : {};
    expect(usage?.["prompt_tokens_details"]).toEqual({ cached_tokens: expect.any(Number), ...written });
    expect(usage).toMatchObject({
      prompt_tokens_details: { cached_tokens: expect.toSatisfy((count) => count >= 128) },
    });
  });

  it("two choices, or the refusal of a front end that makes but one", async () => {
    const body = chat({ ...say(THINK + TEXT), n: 2, ...USAGE });
    const [told, heard] = [await askVllm(body), await stage.ask(body)];
    if (dialect === "python") {
      expectAllOf(body, told.text, heard.text);
      expect(saidIn(heard.text)).toEqual([BOTH, BOTH]);
    } else {
      expect([told.status, heard.status]).toEqual([400, 400]);
      const error = { type: "invalid_request_error", param: "n", code: "invalid_request" };
      expect(JSON.parse(heard.text)).toEqual({ error: { message: "Only n=1 is supported.", ...error } });
    }
  });
});

it("the head of a stream has our headers, and none of the front end's", async () => {
  const { headers } = await stage.ask(chat({ ...say("ok"), ...NO_THINKING }));
  expect(headers).toEqual({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-store, no-transform",
    "x-accel-buffering": "no",
    "x-request-id": expect.stringMatching(/^req_[0-9a-f]{32}$/),
    "request-id": headers["x-request-id"],
    "transfer-encoding": "chunked",
  });
});
