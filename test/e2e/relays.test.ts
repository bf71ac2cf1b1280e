/** vLLM's JSON routes: the body goes as it came, the answer comes as it goes, and what fails is told in our shape. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, type Client } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const ROUTES = [
  "/tokenize",
  "/detokenize",
  "/v1/embeddings",
  "/pooling",
  "/classify",
  "/score",
  "/v1/score",
  "/rerank",
  "/v1/rerank",
  "/v2/rerank",
];
const JSON_HEAD = { "content-type": "application/json", server: "uvicorn", "set-cookie": "a=b" };

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin();
  worker = await startWorker({
    ORIGINS: [{ url: origin.url }],
    MODELS: { mine: { model: "org/theirs" } },
    HOLD_MS: 100,
    KEEPALIVE_MS: 100,
    ORIGIN_API_KEY: "sk-origin",
  });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

function post(path: string, body: unknown): Promise<Client> {
  return send(worker.port, { path, body });
}

/** A request to `/tokenize` that says `mark`, with the client that sent it. */
async function asked(mark: string): Promise<{ client: Client; request: Awaited<ReturnType<Origin["request"]>> }> {
  const client = await post("/tokenize", { model: "m", prompt: mark });
  return { client, request: await origin.request(mark) };
}

describe.each(ROUTES)("POST %s", (path) => {
  it("reaches the origin at the same path, byte for byte, and so does its answer the client", async () => {
    const body = `{ "prompt":"bytes of ${path}", "model" :"m","seed":12345678901234567890, "x": 1.0,\n"é":"\\u00e9" }`;
    using client = await post(path, body);
    const request = await origin.request(`bytes of ${path}"`);
    expect([request.method, request.path, request.body]).toEqual(["POST", path, body]);
    expect(request.headers).toMatchObject({ authorization: "Bearer sk-origin", accept: "application/json" });
    const answer = '{ "data":[1.0, 12345678901234567890],\n"é" : null}';
    request.head(200, JSON_HEAD);
    request.end(answer);
    expect(await client.text()).toBe(answer);
    const { status, headers } = await client.head();
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(headers["cache-control"]).toBe("no-cache, no-store, no-transform");
    expect([headers["server"], headers["set-cookie"]]).toEqual([undefined, undefined]);
    expect(headers["x-request-id"]).toMatch(/^req_/);
  });

  it("names the model as the origin does, and changes nothing else", async () => {
    using client = await post(path, `{"model":"mine", "prompt":"alias of ${path}" ,"seed":1.0}`);
    const request = await origin.request(`alias of ${path}"`);
    expect(request.body).toBe(`{"model":"org/theirs", "prompt":"alias of ${path}" ,"seed":1.0}`);
    request.json({});
    expect(await client.text()).toBe("{}");
  });

  it("takes nothing but POST", async () => {
    using client = await send(worker.port, { method: "GET", path });
    const { status, headers } = await client.head();
    expect([status, headers["allow"]]).toEqual([405, "POST"]);
    expect(await client.json()).toMatchObject({ error: { code: "method_not_allowed" } });
  });
});

describe("an answer that cannot be relayed", () => {
  it.each(["text/html", "text/event-stream", "application/octet-stream"])("of type %s is a 502", async (type) => {
    const { client, request } = await asked(`of type ${type}`);
    using _ = client;
    request.head(200, { "content-type": type });
    request.end("<html>secret of gpu-7</html>");
    expect((await client.head()).status).toBe(502);
    const body = await client.text();
    expect(JSON.parse(body)).toMatchObject({ error: { code: "origin_protocol", type: "server_error" } });
    expect(body).not.toContain("gpu-7");
  });

  it.each([
    [400, { error: { message: "bad", type: "BadRequestError", param: "prompt", code: 400 } }, 400, "invalid_request"],
    [401, { error: "Unauthorized" }, 502, "origin_auth"],
    [404, { detail: "Not Found" }, 501, "not_supported_by_origin"],
    [500, { error: { message: 'File "/opt/x.py"', type: "InternalServerError", code: 500 } }, 500, "origin_error"],
    [503, "", 503, "origin_unavailable"],
  ])("that is a %i is told in our shape", async (told, said, status, code) => {
    const { client, request } = await asked(`told ${told}`);
    using _ = client;
    request.json(said, told);
    expect((await client.head()).status).toBe(status);
    const { error } = await client.json();
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^[A-Za-z]/) });
    expect(Object.keys(error ?? {})).toEqual(["message", "type", "param", "code"]);
  });
});
