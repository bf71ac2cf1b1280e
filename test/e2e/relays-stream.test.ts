/** A relayed answer on its way: as it comes, never whole where it was cut, no faster than the client takes it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, type Client } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { eventually, startWorker, type Worker } from "../support/worker.ts";

const JSON_HEAD = { "content-type": "application/json" };

let origin: Origin;
let worker: Worker;

beforeAll(async () => {
  origin = await startOrigin();
  worker = await startWorker({
    ORIGINS: [{ url: origin.url }],
    HOLD_MS: 100,
    KEEPALIVE_MS: 100,
  });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

/** A request to `/tokenize` that says `mark`, with the client that sent it. */
async function asked(mark: string): Promise<{ client: Client; request: Awaited<ReturnType<Origin["request"]>> }> {
  const client = await send(worker.port, { path: "/tokenize", body: { model: "m", prompt: mark } });
  return { client, request: await origin.request(mark) };
}

describe("a relayed answer", () => {
  it("brings its first half to the client before the origin sends the second", async () => {
    const { client, request } = await asked("in halves");
    using _ = client;
    request.head(200, JSON_HEAD);
    await request.write('{"tokens":[1,');
    expect(await client.until("[1,")).toBe('{"tokens":[1,');
    await request.write("2,");
    expect(await client.until("2,")).toBe('{"tokens":[1,2,');
    request.end("3]}");
    expect(await client.text()).toBe('{"tokens":[1,2,3]}');
    expect(await request.closed).toBe("finished");
  });

  it("is broken off where the origin's is, and never looks whole", async () => {
    const { client, request } = await asked("cut midway");
    using _ = client;
    request.head(200, JSON_HEAD);
    await request.write('{"tokens":[1,');
    await client.until("[1,");
    request.reset();
    await expect(client.text()).rejects.toThrow("The connection ended in the middle of an answer.");
    const line = await worker.line(String(request.headers["x-request-id"]));
    expect(line).toMatchObject({
      "sluice.operation": "tokenize",
      "sluice.ending": "failed",
      "error.type": "origin_cut",
    });
  });

  it("that is shorter than its length says is broken off too", async () => {
    const { client, request } = await asked("shorter than it says");
    using _ = client;
    request.head(200, { ...JSON_HEAD, "content-length": "1000" });
    await request.write('{"tokens":[1,');
    await client.until("[1,");
    request.reset();
    await expect(client.text()).rejects.toThrow("The connection ended in the middle of an answer.");
  });

  it("that breaks off before its first byte is an error in our shape", async () => {
    const { client, request } = await asked("cut at once");
    using _ = client;
    request.head(200, JSON_HEAD);
    request.reset();
    expect((await client.head()).status).toBe(502);
    expect(await client.json()).toMatchObject({ error: { code: "origin_cut" } });
  });

  it("has no keep-alive while it is waited for", async () => {
    const { client, request } = await asked("waited for");
    using _ = client;
    request.head(200, JSON_HEAD);
    // The Worker's clock has gone past its hold and its keep-alives once another request has had one of each.
    using other = await send(worker.port, {
      body: { model: "m", stream: true, messages: [{ role: "user", content: "x" }] },
    });
    await other.until(": keepalive\n\n: keepalive\n\n");
    request.end("{}");
    expect(await client.text()).toBe("{}");
  });
});

describe("a client that resets its connection", () => {
  it("closes the origin's request before its head", async () => {
    const { client, request } = await asked("left before the head");
    using _ = client;
    client.reset();
    expect(await request.closed).toBe("closed");
  });

  it("closes the origin's request in the middle of its answer", async () => {
    const { client, request } = await asked("left in the middle");
    using _ = client;
    request.head(200, JSON_HEAD);
    await request.write('{"tokens":[1,');
    await client.until("[1,");
    client.reset();
    expect(await request.closed).toBe("closed");
    const line = await worker.line(String(request.headers["x-request-id"]));
    expect(line).toMatchObject({ "sluice.operation": "tokenize", "sluice.ending": "client_left" });
  });
});

describe("a huge answer", () => {
  it("is not taken from the origin faster than the client takes it", async () => {
    const { client, request } = await asked("huge and slow");
    using _ = client;
    request.head(200, JSON_HEAD);
    const sending = sendHuge(
      (piece) => request.write(piece),
      () => request.over,
    );
    await client.until('{"data":"');
    // All sockets on the way are full once no more is taken; an isolate may hold 128 MB.
    const held = await settled(() => request.taken);
    expect(held).toBeLessThan(40_000_000);
    let length = 0;
    for await (const piece of client.pieces()) {
      length += piece.length;
      if (length > 150_000_000) break;
    }
    client.reset();
    await sending;
    expect(await request.closed).toBe("closed");
  });
});

/** Sends without end until the other side is gone. */
async function sendHuge(write: (piece: string) => Promise<void>, over: () => boolean): Promise<void> {
  await write('{"data":"');
  const piece = "x".repeat(262_144);
  while (!over()) await write(piece);
}

/** Returns what `count` comes to rest at. */
async function settled(count: () => number): Promise<number> {
  let before = -1;
  await eventually(async () => {
    const now = count();
    const rests = now > 0 && now === before;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return rests ? now : undefined;
  }, 10_000);
  return before;
}
