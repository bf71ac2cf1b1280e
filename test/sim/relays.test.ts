import { afterAll, beforeAll, expect, test } from "vitest";

import { startSim, type Sim } from "../../sim/server.ts";
import { ask } from "./support/ask.ts";
import { seen, type Seen } from "./support/seen.ts";
import { call, type WireRequest } from "./support/wire.ts";

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ pace: 0 });
});
afterAll(() => sim.close());

async function answer(path: string, body: unknown, more: Partial<WireRequest> = {}): Promise<Seen> {
  return seen(await call(sim.port, { path, body, ...more }));
}

const model = "sim/embed";

test("embeddings: a vector for each input, as numbers or as base64", async () => {
  const a = await answer("/v1/embeddings", { model, input: ["one", "two three"], dimensions: 3 });
  const body = JSON.parse(a.text);
  expect(Object.keys(body)).toEqual(["id", "object", "created", "model", "data", "usage"]);
  expect(body.data.map((item: { embedding: number[] }) => item.embedding.length)).toEqual([3, 3]);
  expect(body.usage).toMatchObject({ prompt_tokens: 3, total_tokens: 3 });
  const packed = await answer("/v1/embeddings", { model, input: "one", dimensions: 3, encoding_format: "base64" });
  const bytes = Buffer.from(JSON.parse(packed.text).data[0].embedding, "base64");
  expect(bytes.readFloatLE(4)).toBeCloseTo(body.data[0].embedding[1], 5);
});

test.each([
  ["/pooling", { input: "one two" }, '"object":"pooling","data":[['],
  ["/classify", { input: "one" }, '"num_classes":2'],
  ["/score", { text_1: "one", text_2: ["one", "two"] }, '{"index":0,"object":"score","score":1}'],
  ["/v1/score", { text_1: "one", text_2: "two" }, '"score":0'],
  ["/rerank", { query: "two", documents: ["one", "two"] }, '"results":[{"index":1,"document":{"text":"two"'],
  ["/v1/rerank", { query: "two", documents: ["one", "two"], top_n: 1 }, '"relevance_score":1}]'],
  ["/v2/rerank", { query: "two", documents: [{ text: "two" }] }, '"relevance_score":1'],
])("%s", async (path, fields, says) => {
  const a = await answer(path, { model, ...fields });
  expect([a.status, a.text]).toEqual([200, expect.stringContaining(says)]);
  const missing = await answer(path, { model });
  expect([missing.status, missing.text]).toEqual([400, expect.stringContaining('"param":"body.')]);
  // Other models, and the Rust front end, do not have the route.
  expect((await answer(path, { model: "sim/chat", ...fields })).text).toBe('{"detail":"Not Found"}');
  expect((await answer(path, { model: "sim/embed-rust", ...fields })).status).toBe(404);
});

test("a pooling model does not chat; a faulty one is served everywhere", async () => {
  expect((await ask(sim.port, model)).status).toBe(501);
  expect((await answer("/v1/embeddings", { model: "sim/error-429", input: "x" })).status).toBe(429);
  expect((await answer("/v1/embeddings", { model: "sim/full-cut", input: "x" })).ended).toBe("cut");
});

test("tokenize and detokenize agree", async () => {
  const text = "Łódź, 14 °C — bring a coat. ☔";
  const { tokens } = JSON.parse((await answer("/tokenize", { model: "sim/chat", prompt: text })).text);
  const ascii = await answer("/detokenize", { model: "sim/chat", tokens: tokens.slice(0, 2) });
  expect(ascii.text).toBe('{"prompt":"Ł"}');
  expect((await answer("/detokenize", { model: "sim/chat-rust" })).text).toContain("missing field `tokens`");
});

test("the list of models is each dialect's", async () => {
  const python = JSON.parse((await answer("/v1/models", undefined, { method: "GET" })).text);
  expect(python.data.map((card: { id: string }) => card.id)).toContain("sim/embed");
  const own = await startSim({ pace: 0, dialect: "rust" });
  const rust = seen(await call(own.port, { method: "GET", path: "/v1/models" }));
  expect(Object.keys(JSON.parse(rust.text).data[0])).not.toContain("permission");
  await own.close();
});

test("a key is asked for under /v1, /v2 and /inference", async () => {
  const own = await startSim({ pace: 0, apiKey: "sk-origin" });
  const status = async (path: string): Promise<number> => (await call(own.port, { path, body: { model } })).status;
  expect(await Promise.all(["/v1/completions", "/v2/rerank", "/inference/v1/generate"].map(status))).toEqual([
    401, 401, 401,
  ]);
  expect(await Promise.all(["/tokenize", "/score"].map(status))).toEqual([200, 400]);
  await own.close();
});

test.each([
  ["GET", "/metrics"],
  ["POST", "/sleep?level=1"],
  ["POST", "/v1/load_lora_adapter"],
  ["POST", "//v1/chat/completions"],
  ["POST", "/v1/../v1/chat/completions"],
  ["POST", "/v1/%2e%2e/collective_rpc"],
  ["POST", "/v1/chat%2fcompletions"],
  ["POST", "/V1/chat/completions"],
  ["POST", "/v1/chat/completions;x"],
  ["DELETE", "/nowhere"],
])("%s %s is recorded as it came, and refused", async (method, path) => {
  const a = await answer(path, method === "GET" ? undefined : { model: "sim/chat", messages: [] }, { method });
  expect([a.status, a.text]).toEqual([404, '{"detail":"Not Found"}']);
  expect(sim.requests().at(-1)).toMatchObject({ method, path, ended: "finished" });
});
