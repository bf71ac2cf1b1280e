/**
 * Every path that is not served is 404 without a byte to an origin, whatever its server would do there. The simulated
 * origin takes paths as they come and records each of them: its record is the witness.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSim, type Sim } from "../../sim/server.ts";
import { send } from "../support/client.ts";
import { startWorker, type Worker } from "../support/worker.ts";

/** Routes of vLLM's that no client of ours has business with. */
const VLLM: readonly (readonly [group: string, ...paths: string[]])[] = [
  ["dev", "/reset_prefix_cache", "/reset_mm_cache", "/reset_encoder_cache", "/collective_rpc", "/sleep", "/wake_up"],
  ["dev", "/is_sleeping", "/pause", "/resume", "/is_paused", "/server_info", "/init_weight_transfer_engine"],
  ["admin", "/start_profile", "/stop_profile", "/scale_elastic_ep", "/is_scaling_elastic_ep", "/update_weights"],
  ["abort", "/abort_requests", "/inference/v1/abort_requests"],
  ["adapter", "/v1/load_lora_adapter", "/v1/unload_lora_adapter"],
  ["metrics", "/metrics", "/load", "/version", "/ping", "/tokenizer_info", "/v1/tokenizer_info"],
  ["docs", "/docs", "/redoc", "/openapi.json", "/docs/oauth2-redirect", "/static/swagger.css"],
  ["render", "/v1/chat/completions/render", "/v1/completions/render", "/v1/messages/render"],
  ["render", "/v1/chat/completions/derender", "/v1/completions/derender", "/v1/chat/completions/batch"],
  ["other", "/invocations", "/cohere/v2/chat", "/v1/audio/transcriptions", "/v1/audio/translations", "/v1/realtime"],
  ["other", "/v1/responses/resp_1", "/v1/responses/resp_1/cancel", "/v2/embed", "/generative_scoring", "/", "/v1"],
  ["simulation", "/sim/requests", "/sim/gates/x"],
];

/** Spellings that are no served path. */
const TRICKS = [
  "//v1/chat/completions",
  "/v1//chat/completions",
  "/v1/chat//completions",
  "/v1/chat/completions/",
  "/v1/chat/completions//",
  "/v1/completions/",
  "/inference/v1/generate/",
  "/tokenize/",
  "/V1/chat/completions",
  "/v1/Chat/Completions",
  "/v1/MODELS",
  "/TOKENIZE",
  "/v1%2Fchat%2Fcompletions",
  "/v1/chat%2fcompletions",
  "/%76%31/chat/completions",
  "/v1/chat/completions%00",
  "/v1/chat/completions%20",
  "/v1/chat/completions;x=1",
  "/v1/chat/completions;/../../metrics",
  "/v1;/chat/completions",
  "/tokenize;.json",
  "/v1/chat/completions/..;/metrics",
  "/v1/chat/completions/render?x=/v1/chat/completions",
  "/v1/chat/completions/../../../metrics",
  "/v1/%2e%2e/metrics",
  "/v1/%2E%2E/%2e%2e/metrics",
  "/tokenize/%2e%2e/metrics",
  "/v1/..%2fmetrics",
  "/v1/..%5cmetrics",
  "/v1/models/../../metrics",
  "/v1/chat/completions\\..\\..\\..\\metrics",
  "/\\metrics",
  "/.",
  "/..",
  "/.well-known/../metrics",
  "/v1/chat/completions/render/..",
];

/**
 * Spellings that the URL standard itself makes a served path of, before any code of ours sees them: they are served as that
 * path, and as no other.
 */
const NORMALISED: Readonly<Record<string, string>> = {
  "/v1/chat/./completions": "/v1/chat/completions",
  "/v1/chat/%2e/completions": "/v1/chat/completions",
  "/v1/x/../chat/completions": "/v1/chat/completions",
  "/v1/x/%2e%2e/chat/completions": "/v1/chat/completions",
  "/../v1/chat/completions": "/v1/chat/completions",
  "/metrics/../v1/chat/completions": "/v1/chat/completions",
  "/v1\\chat\\completions": "/v1/chat/completions",
  "/v1/chat/completions?/metrics": "/v1/chat/completions",
  "/v1/chat/completions#/metrics": "/v1/chat/completions",
};

let sim: Sim;
let worker: Worker;

beforeAll(async () => {
  sim = await startSim({ pace: 0 });
  worker = await startWorker({ ORIGINS: [{ url: sim.url }] });
});

afterAll(async () => {
  await worker.close();
  await sim.close();
});

const BODY = { model: "sim/chat?words=3", messages: [{ role: "user", content: "Hello" }], prompt: "Hello" };

/** Asks over a bare socket, so that nothing on our side makes another path of it. */
async function ask(method: string, path: string): Promise<{ status: number; body: string }> {
  using client = await send(worker.port, { method, path, ...(method === "POST" && { body: BODY }) });
  const { status } = await client.head();
  return { status, body: await client.text() };
}

/** What reached the origin since the last time, as method and path. */
function heard(): string[] {
  const all = sim.requests();
  const news = all.slice(known);
  known = all.length;
  return news.map(({ method, path }) => `${method} ${path}`);
}

let known = 0;

const NOT_FOUND = {
  error: { message: "There is nothing at this path.", type: "invalid_request_error", param: null, code: "not_found" },
};

describe("a path that is not served", () => {
  const paths = VLLM.flatMap(([group, ...routes]) => routes.map((path) => [group, path] as const));
  it.each(paths)("is 404 by every method, and the origin hears nothing: %s %s", async (_, path) => {
    for (const method of ["GET", "POST", "PUT", "DELETE"]) {
      const { status, body } = await ask(method, path);
      expect({ method, status, ...JSON.parse(body) }).toEqual({ method, status: 404, ...NOT_FOUND });
    }
    expect(heard()).toEqual([]);
  });

  it.each(TRICKS)("stays so however it is spelled, and the origin hears nothing: %s", async (path) => {
    const { status, body } = await ask("POST", path);
    expect({ status, ...JSON.parse(body) }).toEqual({ status: 404, ...NOT_FOUND });
    expect(heard()).toEqual([]);
  });

  it("stays so in the form that proxies are asked in", async () => {
    const { status } = await ask("POST", `http://127.0.0.1:${sim.port}/metrics`);
    expect(status).toBe(404);
    expect(heard()).toEqual([]);
  });

  it("is refused by the runtime itself where it does not begin with a slash", async () => {
    expect((await ask("POST", "\\v1/chat/completions")).status).toBe(400);
    expect(heard()).toEqual([]);
  });
});

describe("a spelling that the URL standard makes a served path of", () => {
  it.each(Object.entries(NORMALISED))("is served as that path and as no other: %s", async (spelled, path) => {
    expect((await ask("POST", spelled)).status).toBe(200);
    expect(heard()).toEqual([`POST ${path}`]);
  });

  it("reaches our origin and never the one that the target names", async () => {
    const { status } = await ask("POST", "http://elsewhere.example/v1/chat/completions");
    expect(status).toBe(200);
    expect(heard()).toEqual(["POST /v1/chat/completions"]);
  });
});
