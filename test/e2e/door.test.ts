/** The door: closed by default, opened by keys that the Worker knows by their SHA-256 alone, or for everybody. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerChat, MESSAGES } from "../support/chat-frames.ts";
import { send } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type LogLine, type Worker } from "../support/worker.ts";

/** SHA-256 of `sk-team`, `sk-small`, `sk-old` and `sk-future`. */
const API_KEYS = {
  "3fc923743166bae134970eb2789df5145d8b8041e050acf18067986818f41d13": { name: "team" },
  "0e1e7070976c78df9c4611e515b270eaa83c91125567d008c7e4aa38c76efafc": { name: "small-only", models: ["small"] },
  d3e64608f5182a4408eef248830800d9f4b82167cb91b4b193ac488aa1235fc9: { name: "old", expires: "2020-01-31" },
  ef648cec536a9bebe50cd3f5d9b4374bef074f5bb12fb8625060b591d59b82b3: { name: "future", expires: "2999-12-31T23:59:59Z" },
};

type Headers = Readonly<Record<string, string>>;

let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin(answerChat);
});

afterAll(() => origin.close());

function start(settings: Readonly<Record<string, unknown>>): Promise<Worker> {
  return startWorker({ ORIGINS: [{ url: origin.url }], ALLOW_ANONYMOUS: "", ...settings });
}

/** Returns the status, and of an error what a client sees of it. */
async function knock(worker: Worker, headers: Headers, body: object = { model: "m" }): Promise<object> {
  using client = await send(worker.port, { headers, body: { messages: MESSAGES, ...body } });
  const { status } = await client.head();
  const { error } = await client.json();
  return { status, ...error };
}

/** Returns the Worker's log line of a request with `headers`. */
async function lineOf(worker: Worker, headers: Headers): Promise<LogLine> {
  using client = await send(worker.port, { headers, body: { model: "m", messages: MESSAGES } });
  return worker.line(String((await client.head()).headers["x-request-id"]));
}

describe("without keys", () => {
  it("nobody is let in, and the origin hears nothing", async () => {
    await using worker = await start({});
    const before = origin.requests.length;
    const noKey = "No API key was given. Send it as `Authorization: Bearer KEY`.";
    const wrongKey = "The API key is not valid here, or has expired.";
    const refused = { status: 401, type: "authentication_error", param: null, code: "invalid_api_key" };
    expect(await knock(worker, {})).toEqual({ ...refused, message: noKey });
    expect(await knock(worker, { authorization: "Bearer sk-team" })).toEqual({ ...refused, message: wrongKey });
    expect(await knock(worker, { authorization: "Bearer " })).toEqual({ ...refused, message: noKey });
    expect(origin.requests).toHaveLength(before);
  });

  it("the body of a caller who is not let in is not waited for", async () => {
    await using worker = await start({});
    using client = await send(worker.port, { headers: { "content-length": "1000000" }, body: "{" });
    expect((await client.head()).status).toBe(401);
  });

  it("everybody is let in where ALLOW_ANONYMOUS says so, with whatever key an SDK insists on", async () => {
    await using worker = await start({ ALLOW_ANONYMOUS: "true" });
    expect(await knock(worker, {})).toEqual({ status: 200 });
    expect(await knock(worker, { authorization: "Bearer EMPTY" })).toEqual({ status: 200 });
    expect(await lineOf(worker, {})).toMatchObject({ "sluice.caller": "anonymous", "http.response.status_code": 200 });
  });
});

describe("with keys", () => {
  let worker: Worker;

  beforeAll(async () => {
    worker = await start({ API_KEYS: JSON.stringify(API_KEYS) });
  });

  afterAll(() => worker.close());

  const WAYS_IN: Readonly<Record<string, Headers>> = {
    "as a bearer token": { authorization: "Bearer sk-team" },
    "as a bearer token in small letters": { authorization: "bearer sk-team" },
    "as x-api-key": { "x-api-key": "sk-team" },
    "both ways": { authorization: "Bearer sk-team", "x-api-key": "sk-team" },
    "as x-api-key beside another bearer token": { authorization: "Bearer sk-else", "x-api-key": "sk-team" },
    "as a bearer token beside another x-api-key": { authorization: "Bearer sk-team", "x-api-key": "sk-else" },
    "before it expires": { authorization: "Bearer sk-future" },
  };
  for (const [way, headers] of Object.entries(WAYS_IN)) {
    it(`a key opens ${way}`, async () => {
      expect(await knock(worker, headers)).toEqual({ status: 200 });
    });
  }

  const NO_WAYS_IN: Readonly<Record<string, Headers>> = {
    "no key": {},
    "a wrong key": { authorization: "Bearer sk-team2" },
    "a key that has expired": { authorization: "Bearer sk-old" },
    "a key's hash": { authorization: `Bearer ${Object.keys(API_KEYS)[0]}` },
    "a key in another scheme": { authorization: "Basic sk-team" },
    "two keys in one": { authorization: "Bearer sk-team sk-team" },
  };
  for (const [what, headers] of Object.entries(NO_WAYS_IN)) {
    it(`${what} does not open`, async () => {
      const before = origin.requests.length;
      expect(await knock(worker, headers)).toMatchObject({ status: 401, code: "invalid_api_key" });
      expect(origin.requests).toHaveLength(before);
    });
  }

  it("a key opens its own models only", async () => {
    const key = { authorization: "Bearer sk-small" };
    expect(await knock(worker, key, { model: "small" })).toEqual({ status: 200 });
    const before = origin.requests.length;
    const refused = {
      status: 403,
      message: "The API key does not open this model.",
      type: "permission_error",
      param: "model",
      code: "permission_denied",
    };
    expect(await knock(worker, key, { model: "large" })).toEqual(refused);
    expect(await knock(worker, key, {})).toEqual(refused);
    expect(await knock(worker, key, { model: null })).toEqual(refused);
    expect(origin.requests).toHaveLength(before);
  });

  it("the log names the key by its name alone", async () => {
    expect(await lineOf(worker, { authorization: "Bearer sk-team" })).toMatchObject({
      "sluice.caller": "team",
      "http.response.status_code": 200,
    });
    const refused = { "sluice.ending": "failed", "error.type": "invalid_api_key", "http.response.status_code": 401 };
    expect(await lineOf(worker, { authorization: "Bearer sk-wrong" })).toMatchObject(refused);
    expect(JSON.stringify(worker.lines)).not.toMatch(/sk-|[0-9a-f]{64}/);
  });
});
