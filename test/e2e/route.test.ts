/** Where a request goes: to which of the origins, or, off our paths, nowhere. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerChat, MESSAGES } from "../support/chat-frames.ts";
import { send, type Head } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const MODELS = { small: { model: "org/small-model" } };

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin(answerChat);
  worker = await startWorker({ ORIGINS: [{ url: origin.url }] });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

async function ask(of: Worker, body: object): Promise<{ readonly head: Head; readonly json: unknown }> {
  using client = await send(of.port, { body });
  return { head: await client.head(), json: await client.json() };
}

/** The body of a request as it arrives at an origin that calls the model `model`. */
function routed(model: string): string {
  return `{"model":"${model}","turn":"routed","messages":[{"role":"user","content":"hi"}]}`;
}

describe("the choice of the origin", () => {
  it("goes by the origins' lists of models, and by the real name of an alias", async () => {
    await using other = await startOrigin(answerChat);
    await using routing = await startWorker({
      ORIGINS: [
        { url: origin.url, models: ["a", "org/small-model"] },
        { url: `${other.url}/gpu/2/`, models: ["b"] },
      ],
      MODELS,
    });
    for (const model of ["b", "a", "small", "b"]) await ask(routing, { model, turn: "routed", messages: MESSAGES });
    const asked = origin.requests.filter(({ body }) => body.includes("routed"));
    expect(asked.map(({ path, body }) => [path, body])).toEqual([
      ["/v1/chat/completions", routed("a")],
      ["/v1/chat/completions", routed("org/small-model")],
    ]);
    expect(other.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/gpu/2/v1/chat/completions", routed("b")],
      ["POST", "/gpu/2/v1/chat/completions", routed("b")],
    ]);

    const before = origin.requests.length + other.requests.length;
    for (const stream of [false, true]) {
      const { head, json } = await ask(routing, { model: "unknown", messages: MESSAGES, stream });
      expect(head.status).toBe(404);
      expect(head.headers["x-should-retry"]).toBe("false");
      expect(json).toMatchObject({ error: { code: "model_not_found", param: "model", type: "invalid_request_error" } });
    }
    expect(origin.requests.length + other.requests.length).toBe(before);

    // Without a model any origin will do: each one's default is its own affair.
    expect((await ask(routing, { messages: MESSAGES })).head.status).toBe(200);
  });

  it("goes by weight", async () => {
    await using other = await startOrigin(answerChat);
    const ORIGINS = JSON.stringify([{ url: other.url, weight: 1e-9 }, { url: origin.url }]);
    await using weighted = await startWorker({ ORIGINS });
    const before = origin.requests.length;
    for (let turn = 0; turn < 20; turn += 1) await ask(weighted, { model: "m", messages: MESSAGES });
    expect(origin.requests).toHaveLength(before + 20);
    expect(other.requests).toHaveLength(0);
  });

  it("passes over an origin that has just failed", async () => {
    await using dead = await startOrigin();
    await dead.close();
    const ORIGINS = [{ url: dead.url, weight: 1e9 }, { url: origin.url }];
    await using failing = await startWorker({ ORIGINS });
    expect((await ask(failing, { model: "m", messages: MESSAGES })).head.status).toBe(200);
    expect((await ask(failing, { model: "m", messages: MESSAGES })).head.status).toBe(200);
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
