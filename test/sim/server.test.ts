import { connect } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { startSim, type RecordedRequest, type Sim } from "../../sim/server.ts";
import { ask, chatRequest, eventually, openUntil, TOOLS } from "./support/ask.ts";
import { call, open } from "./support/wire.ts";

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ pace: 0 });
});
afterAll(() => sim.close());

function lastOf(model: string): RecordedRequest | undefined {
  return sim.requests().findLast((request) => request.model === model);
}

test("a request is recorded with its head, its body and its end", async () => {
  const answer = await ask(sim.port, "sim/chat?key=record");
  const record = lastOf("sim/chat?key=record");
  expect(record).toMatchObject({ method: "POST", path: "/v1/chat/completions", ended: "finished" });
  expect(record?.body).toContain("What is a sluice?");
  expect(record?.headers["content-type"]).toBe("application/json");
  expect(record?.bytes).toBe(answer.body.length);
  expect(record?.frames).toBe(answer.chunks.length);
  expect(record?.firstByteAt).toBeGreaterThanOrEqual(record?.startedAt ?? Infinity);
});

test("the record is served, from an id on, and can be cleared", async () => {
  const own = await startSim({ pace: 0 });
  for (const key of ["1", "2"]) await ask(own.port, `sim/chat?key=${key}`);
  const first = own.requests()[0]?.id ?? 0;
  const after = await call(own.port, { method: "GET", path: `/sim/requests?since=${first}` });
  expect(JSON.parse(after.body.toString())).toMatchObject([{ model: "sim/chat?key=2", ended: "finished" }]);
  await call(own.port, { method: "DELETE", path: "/sim/requests" });
  expect(own.requests()).toEqual([]);
  await own.close();
});

test.each(["reset", "fin"] as const)("a client that leaves by %s shows as closed", async (how) => {
  const model = `sim/stall?key=${how}`;
  const { socket, text } = open(sim.port, chatRequest(model));
  await eventually(() => text().includes('"content":"'), "the first token");
  if (how === "reset") socket.resetAndDestroy();
  else socket.end();
  await eventually(() => lastOf(model)?.ended === "closed", "the record");
  expect(lastOf(model)?.endedAt).not.toBeNull();
});

test("a client that leaves before its body is complete is recorded too", async () => {
  const before = sim.requests().length;
  const socket = connect(sim.port, "127.0.0.1", () =>
    socket.write("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"),
  );
  await eventually(() => sim.requests().length > before, "the head");
  socket.destroy();
  await eventually(() => sim.requests().at(-1)?.ended === "closed", "the record");
});

test("a gate holds everything after the first token", async () => {
  const model = "sim/chat?words=3&gate=one";
  const stream = await openUntil(sim.port, chatRequest(model), (text) => /"content":"\w/.test(text));
  expect(lastOf(model)).toMatchObject({ ended: "open", frames: 2 });
  const opened = await call(sim.port, { path: "/sim/gates/one" });
  expect(opened.body.toString()).toBe('{"waiting":1}');
  await eventually(() => stream.text().includes("[DONE]"), "the rest");
  stream.leave();
});

test("a gate that was opened ahead lets the next one pass", async () => {
  await call(sim.port, { path: "/sim/gates/ahead" });
  expect((await ask(sim.port, "sim/chat?gate=ahead")).ended).toBe("complete");
});

test("a paced answer has its head first, then a token at a time", async () => {
  const model = "sim/chat?pace_ms=15&prefill_ms=60&words=4";
  const { socket, text } = open(sim.port, chatRequest(model));
  const seen: string[] = [];
  socket.on("data", (bytes: Buffer) => seen.push(bytes.toString()));
  await eventually(() => text().endsWith("0\r\n\r\n"), "the end");
  expect(seen[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n[^{]*\r\n\r\n$/);
  expect(seen.length).toBeGreaterThan(4);
});

test("comments come before and between events", async () => {
  const answer = await ask(sim.port, "sim/chat?keepalive_ms=5&prefill_ms=20&pace_ms=15&words=2");
  expect(answer.body.toString()).toMatch(/^: keep-alive\n\n[^]*data: [^]*: keep-alive\n\n[^]*\[DONE\]/);
});

function tokenizeRequest(last: boolean): string {
  const body = JSON.stringify({ model: "sim/chat", prompt: "two words" });
  const close = last ? "connection: close\r\n" : "";
  const headers = `host: x\r\n${close}content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `POST /tokenize HTTP/1.1\r\n${headers}\r\n${body}`;
}

test("a connection serves several requests", async () => {
  let text = "";
  await new Promise((resolve) => {
    const socket = connect(sim.port, "127.0.0.1", () => socket.write(tokenizeRequest(false) + tokenizeRequest(true)));
    socket.on("data", (bytes) => (text += bytes.toString()));
    socket.on("close", resolve);
  });
  expect(text.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(2);
});

test("close leaves nothing behind", async () => {
  const own = await startSim({ pace: 1000 });
  const waiting = open(own.port, chatRequest("sim/chat"));
  const stalled = open(own.port, chatRequest("sim/stall?pace_ms=0"));
  await eventually(() => stalled.text().includes("content"), "a stream");
  await eventually(() => own.requests().length === 2, "both");
  await own.close();
  await eventually(() => waiting.socket.closed && stalled.socket.closed, "the sockets");
  expect(own.requests().map((request) => request.ended)).toEqual(["closed", "closed"]);
  expect((await call(own.port, chatRequest("sim/chat"))).status).toBe(0);
});

test("unknown models and switches are refused by name", async () => {
  const unknown = await ask(sim.port, "sim/nope-rust");
  expect([unknown.status, unknown.body.toString()]).toEqual([404, expect.stringContaining('"model_not_found"')]);
  const odd = await ask(sim.port, "sim/chat?wibble=1");
  expect([odd.status, odd.body.toString()]).toEqual([400, expect.stringContaining("wibble")]);
  expect((await ask(sim.port, "sim/chat?usage=perhaps")).status).toBe(400);
});

test("a key is asked for on /v1 only", async () => {
  const own = await startSim({ pace: 0, apiKey: "sk-origin" });
  const health = await call(own.port, { method: "GET", path: "/health" });
  const without = await call(own.port, { method: "GET", path: "/v1/models" });
  const headers = { authorization: "Bearer sk-origin" };
  const models = await call(own.port, { method: "GET", path: "/v1/models", headers });
  expect([health.status, without.status, models.status]).toEqual([200, 401, 200]);
  await own.close();
});

test("tools are called with arguments of their own schema, then quoted", async () => {
  const calls = await ask(sim.port, "sim/chat", {
    stream: false,
    tools: TOOLS,
    messages: [{ role: "user", content: "Tell me both, please." }],
  });
  expect(calls.body.toString().match(/"name":"get_(weather|time)"/g)?.length).toBe(2);
  const messages = [
    { role: "user", content: "And?" },
    { role: "tool", tool_call_id: "x", content: "19 °C" },
  ];
  const answer = await ask(sim.port, "sim/chat", { stream: false, tools: TOOLS, messages });
  expect(answer.body.toString()).toContain("19 °C");
  const format = { type: "json_schema", json_schema: { name: "w", schema: { type: "object", required: ["a"] } } };
  const structured = await ask(sim.port, "sim/chat", { stream: false, response_format: format });
  expect(structured.body.toString()).toContain(String.raw`{\"a\": \"a sluice\"}`);
});

test("sim/say says the last user message, marks included", async () => {
  const messages = [{ role: "user", content: "<think>hm</think>Yes ☔" }];
  const parsed = await ask(sim.port, "sim/say", { messages, stream: false });
  expect(parsed.body.toString()).toMatch(/"content":"Yes ☔".*"reasoning":"hm"/);
  const plain = await ask(sim.port, "sim/say", { stream: false });
  expect(plain.body.toString()).toMatch(/"content":"What is a sluice\?".*"reasoning":null/);
  const raw = await ask(sim.port, "sim/say?parsers=none", { messages, stream: false });
  expect(raw.body.toString()).toContain('"content":"<think>hm</think>Yes ☔"');
});

test("switches change what is sent", async () => {
  const text = async (model: string, fields: Record<string, unknown> = {}): Promise<string> =>
    (await ask(sim.port, model, fields)).body.toString();
  const usage = { stream_options: { include_usage: true } };
  expect(await text("sim/chat?usage=none", usage)).not.toContain('"usage":');
  expect(await text("sim/chat?details=1&cached=4", usage)).toContain('"cached_tokens":4');
  expect(await text("sim/chat?reasoning=reasoning_content", { reasoning_effort: "low" })).toContain(
    '"reasoning_content":',
  );
  expect(await text("sim/chat?finish=merged")).toMatch(
    /"delta":\{"content":"[^"]+"\},"logprobs":null,"finish_reason":"stop"/,
  );
  expect(await text("sim/chat?finish=separate", { max_tokens: 3 })).toMatch(
    /"delta":\{\},"logprobs":null,"finish_reason":"length"/,
  );
  expect(await text("sim/chat?tokens_per_chunk=5&words=5")).toMatch(/"content":" \S+ \S+ \S+/);
  expect(await text("sim/chat?tools=whole", { tools: TOOLS })).toContain(
    String.raw`"name":"get_weather","arguments":"{\"city\": \"Łódź\"}"`,
  );
  expect(await text("sim/chat?tools=late-args", { tools: TOOLS })).toMatch(
    /"name":"get_weather"\}[^]*"arguments":"\{.*\}"/,
  );
  expect(await text("sim/chat?empty_deltas=1")).toContain('"delta":{"content":""}');
  expect(await text("sim/chat?error=503")).toMatch(/^data: \{"error":.*503\}\}\n\ndata: \[DONE\]\n\n$/);
  expect(await text("sim/chat?error_after=1")).toMatch(/"content":"\w[^]*"error":/);
  expect((await ask(sim.port, "sim/chat?cut_after=2")).ended).toBe("cut");
  expect(await text("sim/chat?fingerprint=mine")).toContain('"system_fingerprint":"mine"');
  expect((await ask(sim.port, "sim/chat?split=7")).chunks.every((chunk) => chunk.length <= 7)).toBe(true);
});
