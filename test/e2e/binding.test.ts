/** An origin that is reached through a binding: an address that nothing here resolves, and all that is asked of it goes there. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSim } from "../../sim/server.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const URL_INSIDE = "http://vllm.internal:8000";
const TALK = { model: "sim/chat", messages: [{ role: "user", content: "Hi" }] };

let sim: Awaited<ReturnType<typeof startSim>>;
let worker: Worker;

beforeAll(async () => {
  sim = await startSim({ host: "127.0.0.1", port: 0, pace: 0 });
  worker = await startWorker(
    { ORIGINS: [{ url: URL_INSIDE, binding: "VLLM" }] },
    { services: { VLLM: new URL(sim.url).host } },
  );
});

afterAll(async () => {
  await worker.close();
  await sim.close();
});

describe("an origin behind a binding", () => {
  it("answers in a stream, which its log line says", async () => {
    const response = await fetch(`${worker.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...TALK, stream: true }),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
    const line = await worker.line(response.headers.get("x-request-id") ?? "");
    expect(line).toMatchObject({ "sluice.ending": "finished", "sluice.origin.url": URL_INSIDE });
  });

  it("lists its models and is seen to be well", async () => {
    const models: { data: { id: string }[] } = await (await fetch(`${worker.url}/v1/models`)).json();
    expect(models.data.map(({ id }) => id)).toContain("sim/chat");
    expect((await fetch(`${worker.url}/health`)).status).toBe(200);
  });

  it("is misconfigured where there is no such binding", async () => {
    await using lone = await startWorker({ ORIGINS: [{ url: URL_INSIDE, binding: "VLLM" }] });
    const response = await fetch(`${lone.url}/v1/models`);
    expect([response.status, await response.json()]).toMatchObject([
      500,
      {
        error: {
          code: "misconfigured",
          message:
            "The gateway is misconfigured. ORIGINS.0.binding: there is no binding of this name that could reach an origin.",
        },
      },
    ]);
  });
});
