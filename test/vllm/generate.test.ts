/** Token ids in, token ids out, of a real vLLM: each answer as a client gets it, compared with what vLLM itself says. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Json } from "../support/chat-records.ts";
import { dictate, expectGeneration, GENERATE, generation, idsIn, type Spoken } from "./support/operations.ts";
import { USAGE } from "./support/requests.ts";
import { chunksIn, comparable, usagesIn } from "./support/said.ts";
import { ALIAS, askVllm, openStage, type Answer, type Stage } from "./support/stage.ts";

const { dialect, model } = inject("vllm");

interface Case {
  readonly name: string;
  readonly params: Json;
  readonly fields?: Json;
  readonly says: readonly Spoken<readonly number[]>[];
}

const ALL_ALONG = { stream_options: { include_usage: true, continuous_usage_stats: true } };
const IDS = [70, 80, 90, 2];
const SAID: readonly Spoken<readonly number[]>[] = [[IDS, "stop"]];

const CASES: readonly Case[] = [
  { name: "token ids", params: dictate(IDS), says: SAID },
  { name: "usage, where it is asked for", params: dictate(IDS), fields: USAGE, says: SAID },
  { name: "usage all along, where it is asked for", params: dictate(IDS), fields: ALL_ALONG, says: SAID },
  {
    name: "no usage all along, where it is asked for without the one at the end",
    params: dictate(IDS),
    fields: { stream_options: { include_usage: false, continuous_usage_stats: true } },
    says: SAID,
  },
  { name: "another name of the model", params: dictate(IDS), fields: { ...USAGE, model: ALIAS }, says: SAID },
  { name: "the origin's own model", params: dictate(IDS), fields: { ...USAGE, model: undefined }, says: SAID },
  { name: "the end alone", params: dictate([2]), fields: USAGE, says: [[[2], "stop"]] },
  {
    name: "ids up to the limit",
    params: { ...dictate(IDS), max_tokens: 2 },
    fields: USAGE,
    says: [[[70, 80], "length"]],
  },
  {
    name: "ids beyond the end that is to be ignored",
    params: { ...dictate([70, 2, 80]), max_tokens: 3, ignore_eos: true },
    says: [[[70, 2, 80], "length"]],
  },
  {
    name: "ids up to one that stops them",
    params: { ...dictate(IDS), stop_token_ids: [80] },
    says: [[[70, 80], "stop"]],
  },
  { name: "log-probabilities", params: { ...dictate(IDS), logprobs: 2 }, fields: USAGE, says: SAID },
];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

/** Asks vLLM and the Worker the same. */
async function both(params: Json, fields: Json = {}): Promise<{ body: Json; told: Answer; heard: Answer }> {
  const body = generation(params, fields);
  const told = await askVllm(body, GENERATE);
  return { body, told, heard: await stage.ask(body, GENERATE) };
}

describe(`a generate stream of the ${dialect} front end carries`, () => {
  it.each(CASES)("$name", async ({ params, fields, says }) => {
    const { body, told, heard } = await both(params, fields);
    expect([told.status, heard.status]).toEqual([200, 200]);
    expectGeneration(body, told.text, heard.text);
    expect(idsIn(heard.text)).toEqual(says);
  });

  it("the very bytes, but for the name of the request, which is ours", async () => {
    const name = `mine-${crypto.randomUUID()}`;
    const { told, heard } = await both(dictate(IDS), { request_id: name });
    const { "x-request-id": ours = "" } = heard.headers;
    expect(ours).toMatch(/^req_/);
    expect(heard.text).toBe(told.text.replaceAll(name, ours));
  });

  it("usage on every chunk of a stream that has it all along", async () => {
    const { heard } = await both(dictate(IDS), ALL_ALONG);
    expect(usagesIn(heard.text)).toHaveLength(chunksIn(heard.text).length);
    expect(usagesIn(heard.text).map(({ completion_tokens: count }) => count)).toEqual([1, 2, 3, 4, 4]);
    expect(usagesIn(heard.text).map(({ prompt_tokens: count }) => count)).toEqual([4, 4, 4, 4, 4]);
  });

  it("no usage that nobody asked for", async () => {
    const { heard } = await both(dictate(IDS));
    expect(usagesIn(heard.text)).toEqual([]);
  });

  it("two choices, or the refusal of a front end that makes but one", async () => {
    const { body, told, heard } = await both({ ...dictate(IDS), n: 2 }, USAGE);
    if (dialect === "python") {
      expectGeneration(body, told.text, heard.text);
      expect(idsIn(heard.text)).toEqual([
        [IDS, "stop"],
        [IDS, "stop"],
      ]);
    } else {
      expect([told.status, heard.status]).toEqual([400, 400]);
      const error = { type: "invalid_request_error", param: "n", code: "invalid_request" };
      expect(JSON.parse(heard.text)).toEqual({ error: { message: "Only n=1 is supported.", ...error } });
    }
  });
});

describe(`a whole generate answer of the ${dialect} front end carries`, () => {
  it.each([
    { name: "token ids", params: dictate(IDS) },
    { name: "log-probabilities", params: { ...dictate(IDS), logprobs: 2 } },
    { name: "log-probabilities of the prompt", params: { ...dictate(IDS), prompt_logprobs: 1 } },
  ])("$name", async ({ params }) => {
    const { told, heard } = await both(params, { stream: false });
    expect([told.status, heard.status]).toEqual([200, 200]);
    expect(comparable(heard)).toEqual(comparable(told));
    expect(JSON.parse(heard.text)).toMatchObject({ choices: [{ token_ids: IDS, finish_reason: "stop" }] });
    // One of the front ends neither names its model nor counts.
    const counts = { usage: { prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 } };
    expect(JSON.parse(heard.text)).toMatchObject(dialect === "python" ? { model, ...counts } : {});
  });

  it("the client's own name of the model, where the front end names one", async () => {
    const { told, heard } = await both(dictate(IDS), { model: ALIAS, stream: false });
    expect(comparable(heard)).toEqual({ ...comparable(told), ...(dialect === "python" && { model: "my/model" }) });
  });
});
