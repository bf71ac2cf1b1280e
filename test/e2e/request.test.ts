/** What reaches the origin of a request: the client's own text, and where it goes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, type Head } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const MODELS = { small: { model: "org/small-model" }, größer: { model: 'org/"big"' } };

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin((request) => request.json({ choices: [] }));
  worker = await startWorker({ ORIGINS: [{ url: origin.url }], MODELS });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

interface Told {
  readonly head: Head;
  readonly json: unknown;
}

async function ask(of: Worker, body: unknown): Promise<Told> {
  using client = await send(of.port, { body });
  return { head: await client.head(), json: await client.json() };
}

/** Returns what the origin was asked when a client sent `body`. */
async function forwarded(body: string): Promise<string | undefined> {
  const before = origin.requests.length;
  expect((await ask(worker, body)).head.status).toBe(200);
  expect(origin.requests).toHaveLength(before + 1);
  return origin.requests.at(-1)?.body;
}

describe("the body of a request", () => {
  const BODIES = {
    "a seed of 64 bits": '{"model":"m","messages":[],"seed":9223372036854775807}',
    "a negative seed of 64 bits": '{"model":"m","messages":[],"seed":-9223372036854775808}',
    "numbers in every spelling": '{"model":"m","temperature":1.0,"top_p":1e-1,"min_p":0.10000000000000000555,"n":1}',
    "duplicate keys": '{"model":"m","max_tokens":1,"max_tokens":2,"messages":[],"messages":[{}]}',
    "fields nobody knows":
      '{"model":"m","vllm_xargs":{"a":[1.50,{"b":null}]},"no_such_field":{"deep":{"deeper":true}}}',
    "keys in no order": '{"stream":false,"messages":[{"content":"b","role":"user"}],"model":"m"}',
    "white space": '\n\t{ "model" :\r\n "m" , "messages" : [ ] }  \n',
    "escapes and characters of every length": '{"model":"m","user":"\\u00e9 é \\/ / \\ud83d\\ude00 😀 天気 \\u0000"}',
    "null for the model": '{"model":null,"messages":[]}',
    "no model": '{"messages":[]}',
    "no members": "{}",
    "null for the stream": '{"model":"m","stream":null}',
    "dangerous keys": '{"model":"m","__proto__":{"stream":true},"constructor":1}',
  };
  for (const [what, body] of Object.entries(BODIES)) {
    it(`arrives as it was sent, with ${what}`, async () => {
      expect(await forwarded(body)).toBe(body);
    });
  }
});

describe("an alias", () => {
  it("changes the model's value and nothing else", async () => {
    const sent = '{ "seed": 9223372036854775807, "model" :\t"small", "temperature": 1.0, "extra": {"model": "small"} }';
    const expected =
      '{ "seed": 9223372036854775807, "model" :\t"org/small-model", "temperature": 1.0, "extra": {"model": "small"} }';
    expect(await forwarded(sent)).toBe(expected);
  });

  it("is found under an escaped spelling, and its model is written as JSON", async () => {
    const sent = '{"mod\\u0065l":"gr\\u00f6\\u00dfer","messages":[]}';
    expect(await forwarded(sent)).toBe('{"mod\\u0065l":"org/\\"big\\"","messages":[]}');
  });

  it("counts where it is the last of several", async () => {
    expect(await forwarded('{"model":"m","model":"small"}')).toBe('{"model":"m","model":"org/small-model"}');
    expect(await forwarded('{"model":"small","model":"m"}')).toBe('{"model":"small","model":"m"}');
  });

  it("is not taken from what every object has", async () => {
    expect(await forwarded('{"model":"constructor"}')).toBe('{"model":"constructor"}');
  });
});

describe("the choice of the origin", () => {
  it("goes by the origins' lists of models, and by the real name of an alias", async () => {
    await using other = await startOrigin((request) => request.json({ choices: [] }));
    await using routing = await startWorker({
      ORIGINS: [
        { url: origin.url, models: ["a", "org/small-model"] },
        { url: `${other.url}/gpu/2/`, models: ["b"] },
      ],
      MODELS,
    });
    for (const model of ["b", "a", "small", "b"]) await ask(routing, { model, turn: "routed" });
    const routed = origin.requests.filter(({ body }) => body.includes("routed"));
    expect(routed.map(({ path, body }) => [path, body])).toEqual([
      ["/v1/chat/completions", '{"model":"a","turn":"routed"}'],
      ["/v1/chat/completions", '{"model":"org/small-model","turn":"routed"}'],
    ]);
    expect(other.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/gpu/2/v1/chat/completions", '{"model":"b","turn":"routed"}'],
      ["POST", "/gpu/2/v1/chat/completions", '{"model":"b","turn":"routed"}'],
    ]);

    const before = origin.requests.length + other.requests.length;
    for (const stream of [false, true]) {
      const { head, json } = await ask(routing, { model: "unknown", stream });
      expect(head.status).toBe(404);
      expect(head.headers["x-should-retry"]).toBe("false");
      expect(json).toMatchObject({ error: { code: "model_not_found", param: "model", type: "invalid_request_error" } });
    }
    expect(origin.requests.length + other.requests.length).toBe(before);

    // Without a model any origin will do: each one's default is its own affair.
    expect((await ask(routing, {})).head.status).toBe(200);
  });

  it("goes by weight", async () => {
    await using other = await startOrigin((request) => request.json({ choices: [] }));
    const ORIGINS = JSON.stringify([{ url: other.url, weight: 1e-9 }, { url: origin.url }]);
    await using weighted = await startWorker({ ORIGINS });
    const before = origin.requests.length;
    for (let turn = 0; turn < 20; turn += 1) await ask(weighted, { model: "m" });
    expect(origin.requests).toHaveLength(before + 20);
    expect(other.requests).toHaveLength(0);
  });

  it("passes over an origin that has just failed", async () => {
    await using dead = await startOrigin();
    await dead.close();
    const ORIGINS = [{ url: dead.url, weight: 1e9 }, { url: origin.url }];
    await using failing = await startWorker({ ORIGINS });
    expect((await ask(failing, { model: "m" })).head.status).toBe(200);
    expect((await ask(failing, { model: "m" })).head.status).toBe(200);
  });
});

describe("a path that is nothing of ours", () => {
  it("is refused and never forwarded", async () => {
    const before = origin.requests.length;
    const paths = [
      "/",
      "/v1/chat/completions/",
      "/v1//chat/completions",
      "/v1/chat",
      "/metrics",
      "/reset_prefix_cache",
    ];
    for (const path of [...paths, "/v1/load_lora_adapter", "/v1/%63hat/completions", "/sleep?level=1"]) {
      using client = await send(worker.port, { path, body: "{}" });
      expect([path, (await client.head()).status]).toEqual([path, 404]);
      expect(await client.json()).toMatchObject({ error: { code: "not_found", type: "invalid_request_error" } });
    }
    expect(origin.requests).toHaveLength(before);
  });

  it("says which methods a path of ours takes", async () => {
    const before = origin.requests.length;
    for (const method of ["GET", "PUT", "DELETE"]) {
      using client = await send(worker.port, { method });
      expect(await client.head()).toMatchObject({ status: 405, headers: { allow: "POST" } });
      expect(await client.json()).toMatchObject({ error: { code: "method_not_allowed" } });
    }
    expect(origin.requests).toHaveLength(before);
  });
});
