/** Requests whose body is at fault: each gets its clear 4xx, and the origin hears nothing of it. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerChat } from "../support/chat-frames.ts";
import { send, type Client, type Sending } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

/** A member that every request must have. */
const HI = '"messages":[{"role":"user","content":"hi"}]';
const LONG = `{"model":"m","user":"${"x".repeat(4_096)}"}`;

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin(answerChat);
  worker = await startWorker({ ORIGINS: [{ url: origin.url }], MAX_BODY_BYTES: 4_096, BODY_TIMEOUT_MS: 300 });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

/** What a client is told, and beside it what tells its SDK not to try again. */
async function told(client: Client): Promise<object> {
  const { status, headers } = await client.head();
  const { error = {} } = await client.json();
  return {
    status,
    retry: headers["x-should-retry"],
    code: error["code"],
    param: error["param"],
    message: error["message"],
  };
}

describe("a request's body", () => {
  const invalid = { status: 400, retry: "false", code: "invalid_request", param: null };
  const tooLarge = {
    status: 413,
    retry: "false",
    code: "request_too_large",
    param: null,
    message: "The request body is longer than 4096 bytes.",
  };
  const compressed = {
    status: 415,
    retry: "false",
    code: "unsupported_media_type",
    param: null,
    message: "The request body must not be compressed.",
  };
  const noText = { ...invalid, message: "The request body is not complete UTF-8 text." };
  const noJson = { ...invalid, message: "The request body is not valid JSON." };
  const noObject = { ...invalid, message: "The request body must be a JSON object." };
  const CASES: readonly [what: string, sending: Sending, expected: object][] = [
    ["is compressed", { headers: { "content-encoding": "gzip" }, body: gzipSync('{"model":"m"}') }, compressed],
    ["only says that it is compressed", { headers: { "content-encoding": "br" }, body: "{}" }, compressed],
    ["is too large", { body: LONG }, tooLarge],
    ["is announced as too large", { headers: { "content-length": "4097" }, body: "" }, tooLarge],
    ["is too large in chunks", { headers: { "transfer-encoding": "chunked" }, body: chunked(LONG, 100) }, tooLarge],
    ["is not UTF-8", { body: Buffer.from('{"model":"gr\xf6\xdfer"}', "latin1") }, noText],
    ["ends inside a character", { body: Buffer.from('{"model":"天').subarray(0, -1) }, noText],
    ["is empty", { body: "" }, noJson],
    ["is not there", {}, noJson],
    ["is not JSON", { body: "model=m" }, noJson],
    ["is cut JSON", { body: '{"model":"m"' }, noJson],
    ["has JSON and more", { body: '{"model":"m"}{}' }, noJson],
    ["is a list", { body: "[]" }, noObject],
    ["is null", { body: "null" }, noObject],
    ["is a string", { body: '"{}"' }, noObject],
  ];
  for (const [what, sending, expected] of CASES) {
    it(`is refused when it ${what}`, async () => {
      const before = origin.requests.length;
      using client = await send(worker.port, sending);
      expect(await told(client)).toEqual(expected);
      expect(origin.requests).toHaveLength(before);
    });
  }

  it("is refused when it trickles", async () => {
    using client = await send(worker.port, { headers: { "content-length": "100" }, body: '{"model":' });
    const before = origin.requests.length;
    const trickle = setInterval(() => void client.write(" "), 50);
    expect(await told(client)).toEqual({
      status: 408,
      retry: "true",
      code: "request_timeout",
      param: null,
      message: "The request body did not arrive in time.",
    });
    clearInterval(trickle);
    expect(origin.requests).toHaveLength(before);
  });

  it("may be as long as it may be, in one piece or in chunks", async () => {
    const body = `{"model":"${"m".repeat(4_040)}",${HI}}`;
    expect(body).toHaveLength(4_096);
    for (const sending of [{ body }, { headers: { "transfer-encoding": "chunked" }, body: chunked(body, 16) }]) {
      using client = await send(worker.port, sending);
      expect((await client.head()).status).toBe(200);
      expect(origin.requests.at(-1)?.body).toBe(body);
    }
  });

  it("may say that it is not encoded", async () => {
    using client = await send(worker.port, { headers: { "content-encoding": "identity" }, body: `{${HI}}` });
    expect((await client.head()).status).toBe(200);
  });
});

describe("a parameter", () => {
  const CASES: readonly [what: string, members: string, param: string, message: string][] = [
    ["has a number for a model", `"model":1,${HI}`, "model", '"model" must be a string.'],
    ["has a word for the stream", `"stream":"true",${HI}`, "stream", '"stream" must be true or false.'],
    ["has no members", "", "messages", '"messages" is required.'],
    ["has no messages", '"model":"m"', "messages", '"messages" is required.'],
    ["has null for the messages", '"messages":null', "messages", '"messages" must be a list of messages.'],
    ["has no message", '"messages":[]', "messages", '"messages" must hold at least one message.'],
    ["has no message in the end", `${HI},"messages":[]`, "messages", '"messages" must hold at least one message.'],
    [
      "has a message without a role",
      second('"content":"hi"'),
      "messages[1].role",
      '"messages[1].role" must be a string.',
    ],
    ["has an empty role", second('"role":""'), "messages[1].role", '"messages[1].role" must not be empty.'],
    [
      "has a message that is text",
      '"messages":["hi"]',
      "messages[0]",
      '"messages[0]" must be an object with a role and content.',
    ],
    [
      "has a number for a message's content",
      second('"role":"user","content":1'),
      "messages[1].content",
      '"messages[1].content" must be a string or a list of content parts.',
    ],
    [
      "has a part without its text",
      second('"role":"user","content":["hi",{"type":"text"}]'),
      "messages[1].content[1].text",
      '"messages[1].content[1].text" is required in a part of type text.',
    ],
    ["wants no choice", `"n":0,${HI}`, "n", '"n" must be a whole number from 1 to 16384.'],
    ["wants half a choice", `"n":0.5,${HI}`, "n", '"n" must be a whole number from 1 to 16384.'],
    ["is too hot", `"temperature":2.1,${HI}`, "temperature", '"temperature" must be a number from 0 to 2.'],
    ["wants no token", `"max_tokens":0,${HI}`, "max_tokens", '"max_tokens" must be a whole number, 1 or more.'],
    ["has a seed of 65 bits", `"seed":1.9e19,${HI}`, "seed", '"seed" must be a whole number of 64 bits.'],
    [
      "has options of a stream without one",
      `"stream_options":{},${HI}`,
      "stream_options",
      '"stream_options" goes only with "stream": true.',
    ],
    [
      "asks for usage with a word",
      `"stream":true,"stream_options":{"include_usage":"yes"},${HI}`,
      "stream_options.include_usage",
      '"stream_options.include_usage" must be true or false.',
    ],
    ["chooses among no tools", `"tool_choice":"auto",${HI}`, "tool_choice", '"tool_choice" needs "tools".'],
  ];
  for (const [what, members, param, text] of CASES) {
    it(`is named when the request ${what}`, async () => {
      const before = origin.requests.length;
      using client = await send(worker.port, { body: `{${members}}` });
      const expected = { status: 400, retry: "false", code: "invalid_request", param, message: text };
      expect(await told(client)).toEqual(expected);
      expect(origin.requests).toHaveLength(before);
    });
  }
});

/** The messages of a request, of which the second has these members. */
function second(members: string): string {
  return `"messages":[{"role":"user","content":"hi"},{${members}}]`;
}

/** `text` in chunked encoding, in chunks of `size` bytes. */
function chunked(text: string, size: number): string {
  const pieces = text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
  return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("")}0\r\n\r\n`;
}
