/** Completions and generate through the real Worker, streaming and whole, in front of both dialects. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSim, type Sim } from "../../sim/server.ts";
import { send, type Client } from "../support/client.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const PROMPT = "Tell me about gates.";
const PROMPT_IDS = [54, 71, 78, 78, 223, 79, 71, 223, 67, 68, 81, 87, 86, 223, 73, 67, 86, 71, 85, 16];
/** What the simulated model says to it, in words and as ids; the last id is the end mark. */
const SAID = "Bees agree on a new home";
const SAID_IDS = [4012, 5133, 4006, 2810, 5939, 4110, 2];

const FINAL = { include_usage: true };
const CONTINUOUS = { include_usage: true, continuous_usage_stats: true };

const COMPLETIONS = "/v1/completions";
const GENERATE = "/inference/v1/generate";

let sim: Sim;
let worker: Worker;

beforeAll(async () => {
  sim = await startSim({ pace: 0, models: ["sim/chat?words=6", "sim/chat-rust?words=6"] });
  const MODELS = { gates: { model: "sim/chat?words=6" }, "gates-rust": { model: "sim/chat-rust?words=6" } };
  worker = await startWorker({ ORIGINS: [{ url: sim.url }], HOLD_MS: 60_000, MODELS });
});

afterAll(async () => {
  await worker.close();
  await sim.close();
});

interface Chunk {
  readonly id?: string;
  readonly request_id?: string;
  readonly model?: string;
  readonly usage?: object | null;
  readonly choices: readonly {
    readonly index: number;
    readonly text?: string;
    readonly token_ids?: readonly number[];
    readonly finish_reason?: string | null;
  }[];
}

function ask(path: string, body: object): Promise<Client> {
  return send(worker.port, { path, body });
}

/** The chunks of a stream that ends as it should. */
async function stream(path: string, body: object): Promise<Chunk[]> {
  using client = await ask(path, { stream: true, ...body });
  const text = await client.text();
  expect((await client.head()).status, text).toBe(200);
  const records = text.split("\n\n");
  expect(records.splice(-2)).toEqual(["data: [DONE]", ""]);
  return records.map((record) => JSON.parse(record.slice("data: ".length)));
}

async function whole(path: string, body: object): Promise<object> {
  using client = await ask(path, body);
  const answer = await client.json();
  expect((await client.head()).status, JSON.stringify(answer)).toBe(200);
  return answer;
}

function textOf(chunks: readonly Chunk[], index = 0): string {
  return choicesOf(chunks, index).reduce((text, choice) => text + (choice.text ?? ""), "");
}

function idsOf(chunks: readonly Chunk[]): number[] {
  return choicesOf(chunks).flatMap((choice) => choice.token_ids ?? []);
}

function choicesOf(chunks: readonly Chunk[], index = 0): Chunk["choices"] {
  return chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index));
}

function finishesOf(chunks: readonly Chunk[], index = 0): string[] {
  return choicesOf(chunks, index).flatMap(({ finish_reason: finish }) => finish ?? []);
}

describe.each(["", "-rust"])("completions of a server that speaks as sim%s", (dialect) => {
  const model = `sim/chat${dialect}?words=6`;
  const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };

  it("stream their text, and no usage that nobody asked for", async () => {
    const chunks = await stream(COMPLETIONS, { model, prompt: PROMPT });
    expect([textOf(chunks), finishesOf(chunks)]).toEqual([SAID, ["stop"]]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.filter((chunk) => chunk.usage)).toEqual([]);
    expect(chunks.filter(({ choices }) => choices.length === 0)).toEqual([]);
  });

  it("stream their usage last where it was asked for", async () => {
    const chunks = await stream(COMPLETIONS, { model, prompt: PROMPT, stream_options: FINAL });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
    expect(chunks.slice(0, -1).filter((chunk) => chunk.usage)).toEqual([]);
  });

  it("stream their usage on every chunk where it was asked for there", async () => {
    const chunks = await stream(COMPLETIONS, { model, prompt: PROMPT, stream_options: CONTINUOUS });
    expect(chunks.filter((chunk) => !chunk.usage)).toEqual([]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
  });

  it("answer whole, under the client's own name of the model", async () => {
    const answer = await whole(COMPLETIONS, { model: `gates${dialect}`, prompt: PROMPT });
    const choices = [{ index: 0, text: SAID, finish_reason: "stop" }];
    expect(answer).toMatchObject({ object: "text_completion", model: `gates${dialect}`, choices, usage });
  });

  it("say the prompt first where echo asks for it", async () => {
    const body = { model: `sim/say${dialect}`, prompt: "Łódź ☔", echo: true };
    expect(textOf(await stream(COMPLETIONS, body))).toBe("Łódź ☔Łódź ☔");
    expect(await whole(COMPLETIONS, body)).toMatchObject({ choices: [{ text: "Łódź ☔Łódź ☔" }] });
  });

  it("take a prompt of token ids", async () => {
    expect(textOf(await stream(COMPLETIONS, { model, prompt: PROMPT_IDS }))).toBe(SAID);
  });

  it("end after sixteen tokens unless they are told otherwise", async () => {
    const chunks = await stream(COMPLETIONS, { model: `sim/chat${dialect}`, prompt: PROMPT, stream_options: FINAL });
    expect(finishesOf(chunks)).toEqual(["length"]);
    expect(chunks.at(-1)).toMatchObject({ usage: { completion_tokens: 16 } });
  });
});

describe("completions of several prompts", () => {
  const body = { model: "sim/say", prompt: ["One", "Two three", "BC"], n: 2 };

  it("stream every choice to its own finish", async () => {
    const chunks = await stream(COMPLETIONS, { ...body, stream_options: FINAL });
    const indices = [0, 1, 2, 3, 4, 5];
    const texts = indices.map((index) => textOf(chunks, index));
    expect(texts).toEqual(["One", "One", "Two three", "Two three", "BC", "BC"]);
    expect(indices.map((index) => finishesOf(chunks, index))).toEqual(indices.map(() => ["stop"]));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 14 } });
  });

  it("are refused in the client's words by a server that takes one", async () => {
    using client = await ask(COMPLETIONS, { ...body, n: 1, model: "sim/say-rust" });
    expect(await client.json()).toMatchObject({ error: { code: "invalid_request", type: "invalid_request_error" } });
    expect((await client.head()).status).toBe(400);
  });
});

describe.each(["", "-rust"])("generate of a server that speaks as sim%s", (dialect) => {
  const model = `sim/chat${dialect}?words=6`;
  const usage = { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 };
  const body = { model, token_ids: PROMPT_IDS, sampling_params: { max_tokens: 20 } };

  it("streams token ids, and no usage that nobody asked for", async () => {
    const chunks = await stream(GENERATE, body);
    expect([idsOf(chunks), finishesOf(chunks)]).toEqual([SAID_IDS, ["stop"]]);
    expect(new Set(chunks.map(({ request_id: id }) => id)).size).toBe(1);
    expect(chunks.filter((chunk) => chunk.usage)).toEqual([]);
    expect(chunks.filter(({ choices }) => choices.length === 0)).toEqual([]);
  });

  it("streams its usage last where it was asked for", async () => {
    const chunks = await stream(GENERATE, { ...body, stream_options: FINAL });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
    expect(chunks.slice(0, -1).filter((chunk) => chunk.usage)).toEqual([]);
  });

  it("streams its usage on every chunk where it was asked for there", async () => {
    const chunks = await stream(GENERATE, { ...body, stream_options: CONTINUOUS });
    expect(chunks.filter((chunk) => !chunk.usage)).toEqual([]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
  });

  it("streams none where only continuous usage was asked for", async () => {
    const chunks = await stream(GENERATE, { ...body, stream_options: { continuous_usage_stats: true } });
    expect([idsOf(chunks), chunks.filter((chunk) => chunk.usage)]).toEqual([SAID_IDS, []]);
  });

  it("answers whole", async () => {
    const answer = await whole(GENERATE, { ...body, model: `gates${dialect}` });
    expect(answer).toMatchObject({ choices: [{ index: 0, token_ids: SAID_IDS, finish_reason: "stop" }] });
    if (dialect === "") expect(answer).toMatchObject({ model: "gates", usage });
  });
});
