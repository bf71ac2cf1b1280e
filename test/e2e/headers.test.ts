/** Headers pass by allow-lists, both ways: what is listed here is all there is. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatRequest, DONE, FINISH, ROLE, wholeAnswer, WORD } from "../support/chat-frames.ts";
import { send, type Client } from "../support/client.ts";
import { startOrigin, type Origin, type OriginRequest } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const STREAM = ROLE + WORD + FINISH + DONE;
const ID = /^req_[0-9a-f]{32}$/;

/** What a client, or a proxy before us, may send along. */
const CLIENT_HEADERS = {
  authorization: "Bearer sk-the-clients-own",
  "x-api-key": "sk-the-clients-own-too",
  cookie: "session=1",
  "proxy-authorization": "Basic Y2xpZW50",
  "x-forwarded-for": "203.0.113.7",
  "x-real-ip": "203.0.113.7",
  forwarded: "for=203.0.113.7",
  "cf-connecting-ip": "203.0.113.7",
  "x-request-id": "chosen-by-the-client",
  "request-id": "chosen-by-the-client",
  "x-data-parallel-rank": "3",
  "x-session-id": "s",
  "cf-access-client-id": "client",
  "cf-access-jwt-assertion": "client",
  "cloudflare-workers-version-overrides": "a=b",
  "openai-organization": "org",
  "user-agent": "OpenAI/Python 2.0",
  accept: "*/*",
  "accept-language": "de",
  "cache-control": "max-age=3600",
  "content-type": "application/json; charset=utf-8",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  origin: "https://page.test",
  referer: "https://page.test/",
};

/** What an origin, or a CDN before it, may send along. */
const ORIGIN_HEADERS = {
  server: "uvicorn",
  "set-cookie": "lb=gpu-7",
  "cache-control": "public, max-age=600",
  "cdn-cache-control": "max-age=600",
  "cloudflare-cdn-cache-control": "max-age=600",
  "surrogate-control": "max-age=600",
  "surrogate-key": "a",
  age: "10",
  etag: '"1"',
  expires: "Thu, 01 Jan 2037 00:00:00 GMT",
  "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT",
  vary: "Origin",
  via: "1.1 gpu-proxy",
  "x-request-id": "chatcmpl-inside",
  "request-id": "chatcmpl-inside",
  "x-powered-by": "vllm",
  "x-served-by": "10.0.0.7:8000",
  "access-control-allow-origin": "*",
  location: "http://10.0.0.7:8000/",
  "x-ratelimit-remaining-requests": "1",
  "huge-head": "x".repeat(8_192),
};

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin();
  worker = await startWorker({
    ORIGINS: [{ url: origin.url }],
    ORIGIN_API_KEY: "sk-origin",
    CF_ACCESS_CLIENT_ID: "id.access",
    CF_ACCESS_CLIENT_SECRET: "secret",
  });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

/** Only a stream is asked for by a client that takes compression: JSON the edge may compress, and so does its local double. */
async function ask(mark: string, stream: boolean): Promise<{ client: Client; request: OriginRequest }> {
  const headers = { ...CLIENT_HEADERS, "accept-encoding": stream ? "gzip, br" : "identity" };
  const client = await send(worker.port, { headers, body: chatRequest(mark, { stream }) });
  return { client, request: await origin.request(mark) };
}

describe("the headers that reach the origin", () => {
  for (const stream of [true, false]) {
    it(`are ours alone, with ${stream ? "a stream" : "a whole answer"}`, async () => {
      const { client, request } = await ask(`to-origin-${stream}`, stream);
      using _client = client;
      if (stream) request.end(STREAM);
      else request.json(wholeAnswer());
      expect((await client.head()).status).toBe(200);
      const {
        host,
        connection,
        "content-length": length,
        "x-request-id": id,
        traceparent,
        ...others
      } = request.headers;
      expect(others).toEqual({
        // Added by the runtime: the zone that the Worker runs in.
        "cf-worker": "sluice.example.com",
        accept: stream ? "text/event-stream" : "application/json",
        "accept-encoding": "identity",
        authorization: "Bearer sk-origin",
        "cache-control": "no-cache",
        "cf-access-client-id": "id.access",
        "cf-access-client-secret": "secret",
        "content-type": "application/json",
        pragma: "no-cache",
        "user-agent": "sluice",
      });
      expect({ host, length }).toEqual({ host: origin.url.slice(7), length: String(request.body.length) });
      expect(connection ?? "keep-alive").toBe("keep-alive");
      expect(id).toMatch(ID);
      expect((await client.head()).headers["x-request-id"]).toBe(id);
      expect(traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/);
    });
  }
});

describe("the headers that reach the client", () => {
  it("are ours alone, with a stream", async () => {
    const { client, request } = await ask("stream-to-client", true);
    using _client = client;
    request.head(200, { ...ORIGIN_HEADERS, "content-type": "text/event-stream" });
    request.end(STREAM);
    const { status, headers } = await client.head();
    const { "x-request-id": id, ...others } = headers;
    expect({ status, ...others }).toEqual({
      status: 200,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-store, no-transform",
      "x-accel-buffering": "no",
      "request-id": id,
      "transfer-encoding": "chunked",
    });
    expect(id).toMatch(ID);
    expect(await client.text()).toBe(STREAM);
  });

  it("are ours alone, with a whole answer", async () => {
    const { client, request } = await ask("whole-to-client", false);
    using _client = client;
    request.json(wholeAnswer(), 200, ORIGIN_HEADERS);
    const { status, headers } = await client.head();
    const { "x-request-id": id, ...others } = headers;
    expect({ status, ...others }).toEqual({
      status: 200,
      "content-type": "application/json",
      "cache-control": "no-cache, no-store, no-transform",
      "request-id": id,
      "content-length": "259",
    });
    expect(id).toMatch(ID);
    expect(await client.text()).toBe(JSON.stringify(wholeAnswer()));
  });

  it("are ours alone, with an error", async () => {
    const { client, request } = await ask("error-to-client", false);
    using _client = client;
    request.json({ error: "busy" }, 429, { ...ORIGIN_HEADERS, "retry-after": "7" });
    const { status, headers } = await client.head();
    const { "x-request-id": id, "content-length": _length, ...others } = headers;
    expect({ status, ...others }).toEqual({
      status: 429,
      "content-type": "application/json",
      "cache-control": "no-cache, no-store, no-transform",
      "request-id": id,
      "retry-after": "7",
      "retry-after-ms": "7000",
      "x-should-retry": "true",
    });
  });
});

describe("an origin that compresses though it was asked not to", () => {
  it("is read, and leaves us uncompressed", async () => {
    const { client, request } = await ask("gzip", true);
    using _client = client;
    request.head(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    request.end(gzipSync(STREAM));
    expect((await client.head()).headers["content-encoding"]).toBeUndefined();
    expect(await client.text()).toBe(STREAM);
  });
});
