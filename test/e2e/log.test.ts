/** The log line of each kind of request, and which origin it names. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerChat, chatRequest, MESSAGES } from "../support/chat-frames.ts";
import { send, type Sending } from "../support/client.ts";
import { startOrigin, type Origin, type OriginRequest } from "../support/origin.ts";
import { startWorker, type LogLine, type Worker } from "../support/worker.ts";

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin(answer);
  worker = await startWorker({ ORIGINS: [{ url: `${origin.url}/gpu` }] });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

function answer(request: OriginRequest): void {
  const path = request.path.replace("/gpu", "");
  if (path === "/v1/chat/completions") return answerChat(request);
  if (path === "/v1/completions") return request.json(completion());
  if (path === "/tokenize") return request.json({ count: 3, max_model_len: 64, tokens: [1, 2, 3] });
  if (path === "/v1/embeddings") return request.json({ object: "list", data: [] });
  request.json({ object: "list", data: [] });
}

function choice(index: number, finish: string): object {
  return { index, text: "a", logprobs: null, finish_reason: finish };
}

function completion(): object {
  return {
    id: "cmpl-1",
    object: "text_completion",
    created: 1,
    model: "toy",
    choices: [choice(1, "length"), choice(0, "stop")],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  };
}

async function lineOf(sending: Sending, of: Worker = worker): Promise<LogLine> {
  using client = await send(of.port, sending);
  const { headers } = await client.head();
  await client.text();
  return of.line(String(headers["x-request-id"]));
}

const ID = expect.stringMatching(/^req_[0-9a-f]{32}$/);
const TRACE_ID = expect.stringMatching(/^[0-9a-f]{32}$/);
const SPAN_ID = expect.stringMatching(/^[0-9a-f]{16}$/);
const SECONDS = expect.any(Number);
const MESSAGE = { model: "toy", max_tokens: 9, messages: MESSAGES };

describe("the line", () => {
  it("of a stream has every name that docs/watch.md explains, but those of what went wrong", async () => {
    const port = Number(new URL(origin.url).port);
    expect(await lineOf({ body: chatRequest("stream", { stream: true }) })).toEqual({
      message: "request",
      "sluice.request.id": ID,
      trace_id: TRACE_ID,
      span_id: SPAN_ID,
      trace_flags: "01",
      "sluice.operation": "chat",
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "vllm",
      "sluice.caller": "anonymous",
      "gen_ai.request.model": "toy",
      "gen_ai.request.stream": true,
      "http.response.status_code": 200,
      "sluice.ending": "finished",
      "sluice.origin.url": `http://127.0.0.1:${port}/gpu`,
      "server.address": "127.0.0.1",
      "server.port": port,
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 1,
      "gen_ai.usage.output_tokens": 2,
      "http.server.request.duration": SECONDS,
      "sluice.origin.time_to_head": SECONDS,
      "gen_ai.response.time_to_first_chunk": SECONDS,
      "gen_ai.server.time_to_first_token": SECONDS,
      "gen_ai.server.time_per_output_token": SECONDS,
      "sluice.hold": SECONDS,
      "sluice.events": 5,
    });
  });

  const CASES: Readonly<Record<string, readonly [sending: Sending, line: object, absent?: string]>> = {
    "a whole chat": [
      { body: chatRequest("whole") },
      {
        "sluice.operation": "chat",
        "gen_ai.operation.name": "chat",
        "gen_ai.request.stream": false,
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.output_tokens": 2,
      },
      "gen_ai.server.time_to_first_token",
    ],
    "two choices of a completion, in the order of their indices": [
      { path: "/v1/completions", body: { model: "toy", prompt: "a", n: 2 } },
      {
        "sluice.operation": "completions",
        "gen_ai.operation.name": "text_completion",
        "gen_ai.response.finish_reasons": ["stop", "length"],
      },
    ],
    "a stream of Messages": [
      { path: "/v1/messages", body: { ...MESSAGE, stream: true } },
      {
        "sluice.operation": "messages",
        "gen_ai.operation.name": "chat",
        "gen_ai.request.stream": true,
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": 1,
      },
    ],
    "a whole message": [
      { path: "/v1/messages", body: MESSAGE },
      {
        "sluice.operation": "messages",
        "gen_ai.request.stream": false,
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.output_tokens": 2,
      },
    ],
    "a count of tokens, which generates nothing": [
      { path: "/v1/messages/count_tokens", body: { model: "toy", messages: MESSAGES } },
      { "sluice.operation": "count_tokens", "sluice.origin.url": expect.stringContaining("/gpu") },
      "gen_ai.operation.name",
    ],
    embeddings: [
      { path: "/v1/embeddings", body: { model: "toy", input: "a" } },
      { "sluice.operation": "embeddings", "gen_ai.operation.name": "embeddings", "sluice.ending": "finished" },
      "gen_ai.response.finish_reasons",
    ],
    models: [
      { method: "GET", path: "/v1/models" },
      { "sluice.operation": "models", "sluice.caller": "anonymous", "http.response.status_code": 200 },
      "sluice.origin.url",
    ],
    "a request that is refused": [
      { body: { model: "toy" } },
      {
        "sluice.operation": "chat",
        "sluice.ending": "failed",
        "error.type": "invalid_request",
        "http.response.status_code": 400,
        trace_id: TRACE_ID,
      },
      "sluice.origin.url",
    ],
    "a path that is none": [
      { method: "GET", path: "/nowhere" },
      { "sluice.operation": "none", "error.type": "not_found", trace_id: TRACE_ID, span_id: SPAN_ID },
      "gen_ai.provider.name",
    ],
  };
  for (const [what, [sending, line, absent]] of Object.entries(CASES)) {
    it(`of ${what}`, async () => {
      const logged = await lineOf(sending);
      expect(logged).toMatchObject(line);
      if (absent !== undefined) expect(logged).not.toHaveProperty([absent]);
    });
  }
});

describe("the origin in the line", () => {
  const NOBODY = "http://127.0.0.1:1";

  it("is the one that answered, and a second try is counted", async () => {
    const ORIGINS = [{ url: NOBODY, weight: 1e9 }, { url: origin.url }];
    await using pair = await startWorker({ ORIGINS });
    const line = await lineOf({ body: chatRequest("second try", { stream: true }) }, pair);
    expect(line).toMatchObject({
      "sluice.origin.url": origin.url,
      "http.request.resend_count": 1,
      "sluice.ending": "finished",
    });
  });

  it("is the one that failed, and its client never hears of it", async () => {
    await using nowhere = await startWorker({ ORIGINS: [{ url: NOBODY }] });
    using client = await send(nowhere.port, { body: chatRequest("nowhere") });
    const { headers } = await client.head();
    const seen = JSON.stringify(headers) + (await client.text());
    expect(await nowhere.line(String(headers["x-request-id"]))).toMatchObject({
      "sluice.origin.url": NOBODY,
      "server.address": "127.0.0.1",
      "server.port": 1,
      "error.type": "origin_unreachable",
      "http.response.status_code": 502,
    });
    expect(seen).not.toContain("127.0.0.1");
  });
});
