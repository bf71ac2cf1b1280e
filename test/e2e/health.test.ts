/** `GET /health`: whether an origin was usable when last seen, and nothing about which. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MESSAGES } from "../support/chat-frames.ts";
import { send, type Client } from "../support/client.ts";
import { startOrigin, type Origin, type OriginRequest } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
const SHA = "3bb2605f0d2a4be0a9a7e9f0d9c0a1b2c3d4e5f6";

const ok = (commit: string): object => ({
  status: 200,
  body: `{"status":"ok","version":"${version}","commit":${commit}}`,
});
const OK = ok("null");
const UNUSABLE = {
  status: 503,
  body: '{"error":{"message":"No origin is usable at the moment.","type":"server_error","param":null,"code":"origin_unavailable"}}',
};

let healthy: Origin;
let sick: Origin;

beforeAll(async () => {
  healthy = await startOrigin((request) => {
    request.head(200, { "content-length": "0", server: "vllm" });
    request.end();
  });
  sick = await startOrigin((request) => request.json({ detail: "engine core of gpu-7 is dead" }, 503));
});

afterAll(async () => {
  await healthy.close();
  await sick.close();
});

function look(worker: Worker, method = "GET"): Promise<Client> {
  return send(worker.port, { method, path: "/health" });
}

async function health(worker: Worker): Promise<object> {
  using client = await look(worker);
  return { status: (await client.head()).status, body: await client.text() };
}

describe("GET /health", () => {
  it("is 200 while an origin is usable, and asks it once and not for each request", async () => {
    await using worker = await startWorker({ ORIGINS: [{ url: healthy.url }], ORIGIN_API_KEY: "sk-origin" });
    for (let turn = 0; turn < 5; turn += 1) expect(await health(worker)).toEqual(OK);
    const probes = healthy.requests.filter(({ headers }) => headers.authorization === "Bearer sk-origin");
    expect(probes.map(({ method, path }) => [method, path])).toEqual([["GET", "/health"]]);
  });

  it("asks once however many look at the same time", async () => {
    const asked = Promise.withResolvers<OriginRequest>();
    await using origin = await startOrigin((request) => asked.resolve(request));
    await using worker = await startWorker({ ORIGINS: [{ url: origin.url }] });
    using first = await look(worker);
    const probe = await asked.promise;
    // What is not known yet counts as usable.
    expect(await health(worker)).toEqual(OK);
    expect(origin.requests).toHaveLength(1);
    probe.json({}, 503);
    expect((await first.head()).status).toBe(503);
    expect(await health(worker)).toEqual(UNUSABLE);
  });

  it("needs no key, and tells only that", async () => {
    await using worker = await startWorker({ ORIGINS: [{ url: healthy.url }], ALLOW_ANONYMOUS: "" });
    using client = await look(worker);
    const { status, headers } = await client.head();
    const id = headers["x-request-id"];
    expect(id).toMatch(/^req_[0-9a-f]{32}$/);
    expect({ status, headers }).toEqual({
      status: 200,
      headers: {
        "content-type": "application/json",
        "cache-control": "no-cache, no-store, no-transform",
        "content-length": String(42 + version.length),
        "x-request-id": id,
        "request-id": id,
      },
    });
  });

  it.each([
    [
      "the commit that was named when it was deployed",
      { GIT_COMMIT: SHA, VERSION_METADATA: { tag: "v1" } },
      `"${SHA}"`,
    ],
    ["the tag of the version, where that is a commit", { VERSION_METADATA: { tag: "3bb2605" } }, '"3bb2605"'],
    ["null for any other tag", { VERSION_METADATA: { id: "1", tag: "" } }, "null"],
  ])("says %s", async (_, settings, commit) => {
    await using worker = await startWorker({ ORIGINS: [{ url: healthy.url }], ...settings });
    expect(await health(worker)).toEqual(ok(commit));
  });

  it("is 503 when the origin says that its engine is dead", async () => {
    await using worker = await startWorker({ ORIGINS: [{ url: sick.url }] });
    const before = sick.requests.length;
    expect(await health(worker)).toEqual(UNUSABLE);
    expect(await health(worker)).toEqual(UNUSABLE);
    expect(sick.requests).toHaveLength(before + 1);
    using client = await look(worker);
    expect((await client.head()).headers["retry-after"]).toBe("5");
  });

  it("is 503 when nobody listens", async () => {
    await using gone = await startOrigin();
    await gone.close();
    await using worker = await startWorker({ ORIGINS: [{ url: gone.url }] });
    expect(await health(worker)).toEqual(UNUSABLE);
  });

  it("is 200 while one of several origins is usable", async () => {
    await using worker = await startWorker({ ORIGINS: [{ url: sick.url }, { url: healthy.url }] });
    expect(await health(worker)).toEqual(OK);
  });

  it("goes by what requests have seen, without asking", async () => {
    await using origin = await startOrigin((request) => request.json({ error: "dead" }, 503));
    await using worker = await startWorker({ ORIGINS: [{ url: origin.url }] });
    using client = await send(worker.port, { body: { model: "m", messages: MESSAGES } });
    expect((await client.head()).status).toBe(503);
    expect(await health(worker)).toEqual(UNUSABLE);
    expect(origin.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
  });

  it("answers HEAD without a body, and no other method", async () => {
    await using worker = await startWorker({ ORIGINS: [{ url: healthy.url }] });
    using head = await look(worker, "HEAD");
    expect((await head.head()).status).toBe(200);
    expect(await head.text()).toBe("");
    using post = await look(worker, "POST");
    expect(await post.head()).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  });

  it("names a setting that is at fault", async () => {
    await using worker = await startWorker({ ORIGINS: "" });
    using client = await look(worker);
    expect((await client.head()).status).toBe(500);
    expect(await client.json()).toMatchObject({ error: { code: "misconfigured" } });
  });
});
