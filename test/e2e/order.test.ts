/** Streaming, proven by order: what the client holds before the origin may go on, and not how long anything took. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, type Client } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const ROLE = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n';
const FIRST = 'data: {"choices":[{"index":0,"delta":{"content":"one"}}]}\n\n';
const SECOND = 'data: {"choices":[{"index":0,"delta":{"content":"two"}}]}\n\n';
const FINISH = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const DONE = "data: [DONE]\n\n";
const KEEPALIVE = ": keepalive\n\n";

let origin: Origin;
let patient: Worker;
let hasty: Worker;

beforeAll(async () => {
  origin = await startOrigin();
  [patient, hasty] = await Promise.all([
    startWorker({ ORIGINS: [{ url: origin.url }], HOLD_MS: 60_000, KEEPALIVE_MS: 60_000 }),
    startWorker({ ORIGINS: [{ url: origin.url }], HOLD_MS: 1_000, KEEPALIVE_MS: 200 }),
  ]);
});

afterAll(async () => {
  await Promise.all([patient.close(), hasty.close()]);
  await origin.close();
});

function ask(worker: Worker, mark: string): Promise<Client> {
  return send(worker.port, { body: { model: mark, stream: true } });
}

describe("a stream on its way", () => {
  it("brings each token to the client before the origin sends the next", async () => {
    using client = await ask(patient, "token-by-token");
    const request = await origin.request("token-by-token");
    await request.write(ROLE);
    await request.write(FIRST);
    expect(await client.until(FIRST)).toBe(ROLE + FIRST);
    await request.write(SECOND);
    expect(await client.until(SECOND)).toBe(ROLE + FIRST + SECOND);
    await request.write(FINISH);
    expect(await client.until(FINISH)).toBe(ROLE + FIRST + SECOND + FINISH);
    request.end(DONE);
    expect(await client.text()).toBe(ROLE + FIRST + SECOND + FINISH + DONE);
    expect(await request.closed).toBe("finished");
  });

  it("sends head and keep-alives before the origin sends anything", async () => {
    using client = await ask(hasty, "nothing-yet");
    const request = await origin.request("nothing-yet");
    expect((await client.head()).status).toBe(200);
    expect(await client.until(KEEPALIVE + KEEPALIVE)).toBe(KEEPALIVE + KEEPALIVE);
    await request.write(ROLE + FIRST + FINISH);
    request.end(DONE);
    const body = await client.text();
    expect(body.replaceAll(KEEPALIVE, "")).toBe(ROLE + FIRST + FINISH + DONE);
  });

  it("keeps head and role back until the first word", async () => {
    using client = await ask(patient, "role-then-refused");
    const request = await origin.request("role-then-refused");
    await request.write(ROLE);
    await request.write(": still thinking\n\n");
    await request.write('data: {"error":{"message":"no","type":"BadRequestError","param":null,"code":400}}\n\n');
    // Had anything gone out before, the status could not be this one.
    expect((await client.head()).status).toBe(400);
  });

  it("lets the role go when the hold ends, and the keep-alive after it", async () => {
    using client = await ask(hasty, "role-then-nothing");
    const request = await origin.request("role-then-nothing");
    await request.write(ROLE);
    expect(await client.until(KEEPALIVE)).toBe(ROLE + KEEPALIVE);
    await request.write(FIRST);
    expect((await client.until(FIRST)).replaceAll(KEEPALIVE, "")).toBe(ROLE + FIRST);
  });

  it("answers with the client's own bytes in one piece for each piece of the origin", async () => {
    using client = await ask(patient, "piece-by-piece");
    const request = await origin.request("piece-by-piece");
    const pieces = client.pieces();
    for (const frame of [ROLE + FIRST, SECOND, FINISH + DONE]) {
      await request.write(frame);
      const { value } = await pieces.next();
      expect(String(value)).toBe(frame);
    }
    request.end();
    expect((await pieces.next()).done).toBe(true);
  });
});
