/** The models of all origins in one list, as clients name them, and nothing of where they come from. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, type Head, type JsonAnswer } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

/** SHA-256 of `sk-team` and `sk-small`. */
const API_KEYS = {
  "3fc923743166bae134970eb2789df5145d8b8041e050acf18067986818f41d13": { name: "team" },
  "0e1e7070976c78df9c4611e515b270eaa83c91125567d008c7e4aa38c76efafc": { name: "small-only", models: ["small"] },
};
const TEAM = { authorization: "Bearer sk-team" };

const card = (id: string, created: number, length: number): object => ({
  id,
  object: "model",
  created,
  owned_by: "vllm",
  root: `/mnt/weights/${id}`,
  parent: null,
  max_model_len: length,
  permission: [{ id: "modelperm-1", organization: "*" }],
});

let first: Origin;
let second: Origin;
let worker: Worker;

function listing(...cards: object[]): Promise<Origin> {
  return startOrigin((request) => request.json({ object: "list", data: cards }));
}

beforeAll(async () => {
  first = await listing(card("org/big", 1_700_000_000, 32_768), card("shared", 1_700_000_001, 4_096));
  second = await listing(card("shared", 1_700_000_009, 8_192), card("other", 1_700_000_002, 2_048));
  worker = await startWorker({
    ORIGINS: [{ url: first.url }, { url: second.url }],
    MODELS: { small: { model: "other" }, lost: { model: "nobody-has-it" } },
    ORIGIN_API_KEY: "sk-origin",
    API_KEYS,
    ALLOW_ANONYMOUS: "",
  });
});

afterAll(async () => {
  await worker.close();
  await Promise.all([first.close(), second.close()]);
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function get(
  path: string,
  { method = "GET", headers = TEAM }: Asked = {},
  of = worker,
): Promise<Head & { json: JsonAnswer }> {
  using client = await send(of.port, { method, path, headers });
  const head = await client.head();
  return { ...head, json: method === "HEAD" ? {} : await client.json() };
}

/** What OpenAI's, Anthropic's and other clients look for in a model. */
function shown(id: string, created: number, date: string, length: number): object {
  return {
    id,
    object: "model",
    created,
    owned_by: "vllm",
    max_model_len: length,
    type: "model",
    display_name: id,
    created_at: date,
    max_input_tokens: length,
    max_tokens: length,
  };
}

const BIG = shown("org/big", 1_700_000_000, "2023-11-14T22:13:20.000Z", 32_768);
const SMALL = shown("small", 1_700_000_002, "2023-11-14T22:13:22.000Z", 2_048);

describe("GET /v1/models", () => {
  it("lists the models of all origins once each, and the aliases of those that are there", async () => {
    const { status, headers, json } = await get("/v1/models");
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(headers["cache-control"]).toBe("no-cache, no-store, no-transform");
    expect(headers["x-request-id"]).toMatch(/^req_/);
    expect(json).toMatchObject({
      object: "list",
      data: [BIG, { id: "shared", max_model_len: 4_096 }, { id: "other" }, SMALL],
      has_more: false,
      first_id: "org/big",
      last_id: "small",
      models: [],
    });
    expect(json["data"]).toHaveLength(4);
  });

  it("tells nothing of where the models come from", async () => {
    const { json } = await get("/v1/models");
    const text = JSON.stringify(json);
    expect(["/mnt", "weights", "root", "permission", "127.0.0.1"].filter((inside) => text.includes(inside))).toEqual(
      [],
    );
  });

  it("takes a query as Claude Code sends one", async () => {
    expect((await get("/v1/models?limit=1000")).json["data"]).toHaveLength(4);
  });

  it("shows a key the models that it opens, and no others", async () => {
    const { json } = await get("/v1/models", { headers: { authorization: "Bearer sk-small" } });
    expect(json["data"]).toEqual([expect.objectContaining(SMALL)]);
  });

  it("asks each origin once for many lists, with our key and never with the client's", async () => {
    await Promise.all(Array.from({ length: 5 }, () => get("/v1/models")));
    for (const { requests } of [first, second]) {
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/models"]);
      expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer sk-origin"]);
    }
  });

  it("answers HEAD without a body", async () => {
    expect((await get("/v1/models", { method: "HEAD" })).status).toBe(200);
  });

  it.each(["POST", "PUT", "DELETE", "PATCH"])("refuses %s with what it takes", async (method) => {
    for (const path of ["/v1/models", "/v1/models/org/big"]) {
      const { status, headers, json } = await get(path, { method });
      expect({ status, allow: headers["allow"], ...json.error }).toMatchObject({
        status: 405,
        allow: "GET, HEAD",
        code: "method_not_allowed",
      });
    }
  });

  it.each(["/v1/models", "/v1/models/small"])("lets nobody in without a key: %s", async (path) => {
    const { status, json } = await get(path, { headers: {} });
    expect({ status, ...json.error }).toMatchObject({ status: 401, code: "invalid_api_key" });
  });
});

describe("GET /v1/models/{id}", () => {
  it.each([
    ["/v1/models/small", SMALL],
    ["/v1/models/small?beta=true", SMALL],
    ["/v1/models/org/big", BIG],
    ["/v1/models/org%2Fbig", BIG],
    ["/v1/models/org%2fbig", BIG],
  ])("shows one model: %s", async (path, model) => {
    const { status, json } = await get(path);
    expect({ status, json }).toMatchObject({ status: 200, json: model });
    expect(json).not.toHaveProperty("root");
  });

  it.each(["nope", "lost", "org", "org/big/", "org%252Fbig", "%E0%A4%A", "small "])("does not know %s", async (id) => {
    const { status, json } = await get(`/v1/models/${id.replaceAll(" ", "%20")}`);
    expect({ status, ...json.error }).toMatchObject({ status: 404, code: "model_not_found", param: "model" });
  });

  it("does not know a model that the key does not open", async () => {
    const { status } = await get("/v1/models/shared", { headers: { authorization: "Bearer sk-small" } });
    expect(status).toBe(404);
  });
});

describe("origins that are gone", () => {
  it("leave a list that was just had in memory, and no list where there was none", async () => {
    const origin = await listing(card("only", 1, 1));
    const settings = { ORIGINS: [{ url: origin.url }] };
    await using knows = await startWorker(settings);
    await using knowsNothing = await startWorker(settings);
    expect((await get("/v1/models", {}, knows)).status).toBe(200);
    await origin.close();
    expect((await get("/v1/models", {}, knows)).json["data"]).toMatchObject([{ id: "only" }]);
    const { status, headers, json } = await get("/v1/models", {}, knowsNothing);
    expect({ status, retry: headers["retry-after"], ...json.error }).toMatchObject({
      status: 503,
      retry: "5",
      code: "origin_unavailable",
    });
  });

  it("take only their own models along", async () => {
    await using half = await startWorker({ ORIGINS: [{ url: "http://127.0.0.1:1" }, { url: second.url }] });
    expect((await get("/v1/models", {}, half)).json["data"]).toMatchObject([{ id: "shared" }, { id: "other" }]);
  });
});
