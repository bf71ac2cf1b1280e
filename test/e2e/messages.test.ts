/** Anthropic's Messages through the real Worker, streaming and whole, in front of both dialects. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSim, type RecordedRequest, type Sim } from "../../sim/server.ts";
import { asObject, type Json } from "../support/chat-records.ts";
import { send, type Client, type Head } from "../support/client.ts";
import { accumulate, type Accumulated } from "../support/messages-content.ts";
import { messageBreaches } from "../support/messages-fields.ts";
import { messagesBreaches } from "../support/messages-grammar.ts";
import { readMessagesRecords } from "../support/messages-records.ts";
import { startOrigin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const PATH = "/v1/messages";
const COUNT = "/v1/messages/count_tokens";
const ASKS = { max_tokens: 512, messages: [{ role: "user", content: "Tell me about gates." }] };
const TOOLS = [
  {
    name: "get_weather",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];
/** What the simulated model says to it, in six words. */
const SAID = "Bees agree on a new home";

/** SHA-256 of `sk-team`. */
const API_KEYS = { "3fc923743166bae134970eb2789df5145d8b8041e050acf18067986818f41d13": { name: "team" } };

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

function ask(body: object, path = PATH): Promise<Client> {
  return send(worker.port, { path, body: { ...ASKS, ...body } });
}

/** The message that a stream makes up, which ends as it should. */
async function stream(body: object): Promise<Accumulated> {
  using client = await ask({ ...body, stream: true });
  const text = await client.text();
  const { status, headers } = await client.head();
  expect([status, headers["content-type"]], text).toEqual([200, "text/event-stream; charset=utf-8"]);
  expect(messagesBreaches(text)).toEqual([]);
  const records = readMessagesRecords(text);
  expect(records.at(-1)?.event).toBe("message_stop");
  return accumulate(records);
}

async function whole(body: object): Promise<Json> {
  using client = await ask(body);
  const answer = asObject(await client.json());
  const { status, headers } = await client.head();
  expect([status, headers["content-type"]], JSON.stringify(answer)).toEqual([200, "application/json"]);
  expect(messageBreaches(answer)).toEqual([]);
  return answer;
}

async function refused(client: Client): Promise<{ head: Head; json: Json }> {
  using _ = client;
  const json = asObject(await client.json());
  return { head: await client.head(), json };
}

/** The last request on `path` that reached the origin. */
function heard(path: string): RecordedRequest | undefined {
  return sim.requests().findLast((request) => request.path === path);
}

describe.each(["", "-rust"])("a server that speaks as sim%s", (dialect) => {
  const model = `gates${dialect}`;
  const counts = { input_tokens: 13, output_tokens: 7, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

  it("streams a message", async () => {
    expect(await stream({ model })).toMatchObject({
      content: [{ type: "text", text: SAID }],
      stop: { stop_reason: "end_turn", stop_sequence: null },
      usage: counts,
    });
  });

  it("answers with the same message whole, under the client's own name of the model", async () => {
    expect(await whole({ model })).toMatchObject({
      model,
      content: [{ type: "text", text: SAID, citations: null }],
      stop_reason: "end_turn",
      usage: counts,
    });
  });

  it("tells the prompt's tokens with the first event", async () => {
    using client = await ask({ model, stream: true });
    const [first] = readMessagesRecords(await client.text());
    expect(first?.json).toMatchObject({ type: "message_start", message: { model, usage: { input_tokens: 13 } } });
  });

  it("calls a tool, streamed and whole alike", async () => {
    const body = { model: `sim/chat${dialect}`, tools: TOOLS, tool_choice: { type: "tool", name: "get_weather" } };
    const { content, stop } = await stream(body);
    const call = { type: "tool_use", name: "get_weather", input: { city: expect.any(String) } };
    expect(content).toEqual([{ ...call, id: expect.stringMatching(/^toolu_[\w-]+$/), caller: { type: "direct" } }]);
    expect(stop["stop_reason"]).toBe("tool_use");
    expect(await whole(body)).toMatchObject({ content: [call], stop_reason: "tool_use" });
  });

  it("says what the client sends of an earlier call", async () => {
    const id = "toolu_x_63616c6c2031";
    const messages = [
      ...ASKS.messages,
      { role: "assistant", content: [{ type: "tool_use", id, name: "get_weather", input: { city: "Łódź" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "Rain." }] },
    ];
    await whole({ model, messages, tools: TOOLS });
    expect(JSON.parse(heard("/v1/chat/completions")?.body ?? "").messages).toMatchObject([
      { role: "user", content: "Tell me about gates." },
      { role: "assistant", tool_calls: [{ id: "call 1", function: { arguments: '{"city":"Łódź"}' } }] },
      { role: "tool", tool_call_id: "call 1", content: "Rain." },
    ]);
  });

  it("stops at the client's limit and at its sequence", async () => {
    expect((await stream({ model, max_tokens: 3 })).stop).toMatchObject({ stop_reason: "max_tokens" });
    expect(await whole({ model, stop_sequences: [" new"] })).toMatchObject({
      content: [{ text: "Bees agree on a" }],
      stop_reason: "stop_sequence",
      stop_sequence: " new",
    });
  });

  it("is asked for a stream of chat with usage, whatever the client wants", async () => {
    for (const client of [{ stream: true }, { stream: false }]) {
      using asking = await ask({ model, ...client });
      await asking.text();
      expect(JSON.parse(heard("/v1/chat/completions")?.body ?? "")).toEqual({
        model: `sim/chat${dialect}?words=6`,
        messages: ASKS.messages,
        max_tokens: 512,
        stream: true,
        stream_options: { include_usage: true, continuous_usage_stats: true },
      });
    }
    expect(heard("/v1/chat/completions")?.headers["accept"]).toBe("text/event-stream");
  });

  it("counts what a message would cost, by its tokenizer", async () => {
    using client = await ask({ model }, COUNT);
    expect(await client.json()).toEqual({ input_tokens: 13 });
    expect(JSON.parse(heard("/tokenize")?.body ?? "")).toEqual({
      model: `sim/chat${dialect}?words=6`,
      messages: ASKS.messages,
    });
  });
});

describe("a client of another habit", () => {
  it.each([`${PATH}?beta=true`, `${PATH}?`])("is served at %s, and its betas are nobody's business", async (path) => {
    const headers = { "anthropic-version": "2023-06-01", "anthropic-beta": "no-such-thing-2031-01-01" };
    using client = await send(worker.port, { path, headers, body: { ...ASKS, model: "gates" } });
    expect(await client.json()).toMatchObject({ content: [{ text: SAID }] });
    expect(heard("/v1/chat/completions")?.headers).not.toHaveProperty("anthropic-beta");
  });

  it("is let in by its x-api-key or its bearer token, and by nothing else", async () => {
    await using shut = await startWorker({ ORIGINS: [{ url: sim.url }], ALLOW_ANONYMOUS: "", API_KEYS });
    const body = { ...ASKS, model: "sim/chat?words=6" };
    for (const headers of [{ "x-api-key": "sk-team" }, { authorization: "Bearer sk-team" }]) {
      using client = await send(shut.port, { path: PATH, headers, body });
      expect((await client.head()).status).toBe(200);
    }
    for (const path of [PATH, COUNT]) {
      const { head, json } = await refused(
        await send(shut.port, { path, headers: { "x-api-key": "sk-nobody" }, body }),
      );
      expect([head.status, json["error"]]).toMatchObject([401, { type: "authentication_error" }]);
    }
  });
});

describe("a refusal", () => {
  it.each([
    [PATH, { model: "gates", max_tokens: undefined }, 400, "invalid_request_error", '"max_tokens" is required.'],
    [PATH, { model: "no-such" }, 404, "not_found_error", "The model `no-such` does not exist."],
    [PATH, { model: "sim/error-429" }, 429, "rate_limit_error", expect.stringMatching(/\.$/)],
    [PATH, { model: "sim/error-503-dead" }, 503, "overloaded_error", expect.stringMatching(/\.$/)],
    [PATH, { model: "gates", messages: [] }, 400, "invalid_request_error", expect.stringMatching(/^"messages"/)],
    [COUNT, { model: "no-such" }, 404, "not_found_error", "The model `no-such` does not exist."],
    [COUNT, { model: "gates", messages: "hi" }, 400, "invalid_request_error", expect.stringMatching(/^"messages"/)],
  ])("%s %j is %i in Anthropic's shape", async (path, body, status, type, message) => {
    for (const streams of [{}, { stream: true }]) {
      const { head, json } = await refused(await ask({ ...body, ...streams }, path));
      expect(head.status).toBe(status);
      expect(head.headers["request-id"]).toMatch(/^req_/);
      expect(json).toEqual({ type: "error", error: { type, message }, request_id: head.headers["request-id"] });
    }
  });

  it("of a prompt that is too long is in the words that agents know", async () => {
    const content = "gate ".repeat(20_000);
    const { head, json } = await refused(await ask({ model: "sim/chat", messages: [{ role: "user", content }] }));
    expect(head.status).toBe(400);
    expect(json["error"]).toEqual({
      type: "invalid_request_error",
      message: expect.stringMatching(/^prompt is too long: \d+ tokens > 8192 maximum$/),
    });
  });
});

describe("a path", () => {
  it.each(["/v1/messages/", "/v1/messages/batches", "/v1/messages/count_tokens/", "/v1/Messages", "/messages"])(
    "%s is nothing here",
    async (path) => {
      const before = sim.requests().length;
      const { head } = await refused(await ask({ model: "gates" }, path));
      expect(head.status).toBe(404);
      expect(sim.requests()).toHaveLength(before);
    },
  );

  it.each([PATH, COUNT])("%s takes POST alone", async (path) => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { head } = await refused(await send(worker.port, { method, path }));
      expect(head).toMatchObject({ status: 405, headers: { allow: "POST" } });
    }
  });
});

describe("an origin that thinks", () => {
  it("is waited for with pings from the hold on, before the first event and after it", async () => {
    await using origin = await startOrigin();
    await using lively = await startWorker({ ORIGINS: [{ url: origin.url }], HOLD_MS: 100, KEEPALIVE_MS: 50 });
    using client = await send(lively.port, { path: PATH, body: { ...ASKS, model: "thinks", stream: true } });
    const request = await origin.request('"thinks"');
    await client.until("event: ping\n");
    const says = (choice: object): Promise<void> =>
      request.write(`data: ${JSON.stringify({ id: "c", choices: [{ index: 0, ...choice }] })}\n\n`);
    await says({ delta: { role: "assistant", content: "Well" } });
    const before = await client.until('"text":"Well"');
    expect(before.startsWith('event: ping\ndata: {"type":"ping"}\n\n')).toBe(true);
    await client.until('"text":"Well"}}\n\nevent: ping\ndata: {"type":"ping"}\n\n');
    await says({ delta: {}, finish_reason: "stop" });
    request.end("data: [DONE]\n\n");
    expect(messagesBreaches(await client.text())).toEqual([]);
  });
});

describe("a whole message that is longer than allowed", () => {
  it("is given up, and the origin is freed", async () => {
    await using origin = await startOrigin();
    await using small = await startWorker({ ORIGINS: [{ url: origin.url }], MAX_RESPONSE_BYTES: 65_536 });
    using client = await send(small.port, { path: PATH, body: { ...ASKS, model: "talks" } });
    const request = await origin.request('"talks"');
    const frame = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(8_192) } }] })}\n\n`;
    while (!request.over) await request.write(frame);
    expect(await request.closed).toBe("closed");
    expect(await client.json()).toMatchObject({ error: { type: "api_error" } });
    expect((await client.head()).status).toBe(502);
  });
});
