/** The other ways in which a client goes: from a whole answer, at the very end, from its request, or only half. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatRequest, DONE, FINISH, KEEPALIVE, ROLE, wholeAnswer, WORD } from "../support/chat-frames.ts";
import { send } from "../support/client.ts";
import { startOrigin, type Origin, type OriginRequest } from "../support/origin.ts";
import { eventually, startWorker, type LogLine, type Worker } from "../support/worker.ts";

const SPACE = " ".repeat(262_144);

let origin: Origin;
/** Has no timeout of its own within a test: what it notices, it was told by the socket. */
let patient: Worker;
let hasty: Worker;

beforeAll(async () => {
  origin = await startOrigin();
  const settings = { ORIGINS: [{ url: origin.url }] };
  [patient, hasty] = await Promise.all([
    startWorker({ ...settings, HOLD_MS: 60_000, KEEPALIVE_MS: 60_000 }),
    startWorker({ ...settings, HOLD_MS: 200, KEEPALIVE_MS: 200, ANSWER_TIMEOUT_MS: 1_000 }),
  ]);
});

afterAll(async () => {
  await Promise.all([patient.close(), hasty.close()]);
  await origin.close();
});

/** Returns the Worker's only log line of the request that `request` came of. */
async function lineOf(worker: Worker, request: OriginRequest): Promise<LogLine> {
  const id = String(request.headers["x-request-id"]);
  const line = await worker.line(id);
  expect(worker.lines.filter((other) => other["sluice.request.id"] === id)).toHaveLength(1);
  return line;
}

describe("a client of a whole answer", () => {
  it("frees the origin at once when it resets", async () => {
    using client = await send(patient.port, { body: chatRequest("reset-waiting") });
    const request = await origin.request("reset-waiting");
    client.reset();
    expect(await request.closed).toBe("closed");
    expect(await lineOf(patient, request)).toMatchObject({ "sluice.ending": "client_left", "sluice.stage": "waiting" });
  });

  it("frees the origin at once when it resets while the body is on its way", async () => {
    using client = await send(patient.port, { body: chatRequest("reset-body") });
    const request = await origin.request("reset-body");
    request.head(200, { "content-type": "application/json" });
    // White space, with which JSON may begin, and more of it than the buffers hold: so the Worker has begun to read.
    for (let sent = 0; sent < 15_728_640; sent += SPACE.length) await request.write(SPACE);
    client.reset();
    expect(await request.closed).toBe("closed");
    expect(await lineOf(patient, request)).toMatchObject({
      "sluice.ending": "client_left",
      "sluice.stage": "streaming",
    });
  });

  // workerd sees a FIN only when it writes, and before the answer is whole there is nothing to write.
  it("lets the origin finish its answer when it leaves politely", async () => {
    using client = await send(patient.port, { body: chatRequest("leave-answered") });
    const request = await origin.request("leave-answered");
    client.leave();
    request.json(wholeAnswer());
    expect(await request.closed).toBe("finished");
    expect((await lineOf(patient, request))["sluice.ending"]).toBe("finished");
  });

  it("frees the origin at the answer's timeout when it leaves politely and no answer comes", async () => {
    using client = await send(hasty.port, { body: chatRequest("leave-unanswered") });
    const request = await origin.request("leave-unanswered");
    client.leave();
    expect(await request.closed).toBe("closed");
    expect(await lineOf(hasty, request)).toMatchObject({
      "sluice.ending": "failed",
      "error.type": "origin_timeout",
      "http.response.status_code": 504,
    });
  });
});

describe("a client that leaves while the last bytes are on their way", () => {
  for (const way of ["reset", "leave"] as const) {
    it(`is not taken for a failure of the origin (${way})`, async () => {
      using client = await send(patient.port, { body: chatRequest(`at-done-${way}`, { stream: true }) });
      const request = await origin.request(`at-done-${way}`);
      await request.write(ROLE + WORD);
      await client.until(WORD);
      request.end(FINISH + DONE);
      client[way]();
      // Which of the two arrives first is the network's to say.
      expect(["finished", "closed"]).toContain(await request.closed);
      expect(["finished", "client_left"]).toContain((await lineOf(patient, request))["sluice.ending"]);
    });
  }
});

describe("a client that leaves in the middle of its own request", () => {
  it("is logged as having left, and the origin hears nothing", async () => {
    const before = origin.requests.length;
    using client = await send(patient.port, { headers: { "content-length": "16000000" }, body: "" });
    // More than the buffers hold: so the Worker has begun to read.
    await client.write(SPACE.repeat(60));
    client.reset();
    const left = await eventually(() => patient.lines.find((line) => line["sluice.stage"] === "reading"));
    expect(left).toMatchObject({ "sluice.operation": "chat", "sluice.ending": "client_left" });
    expect(origin.requests).toHaveLength(before);
  });

  it("is refused when it only stops sending, and the origin hears nothing", async () => {
    const before = origin.requests.length;
    using client = await send(patient.port, { headers: { "content-length": "1000" }, body: '{"model":' });
    client.halfClose();
    expect((await client.head()).status).toBe(400);
    expect(await client.json()).toMatchObject({ error: { code: "invalid_request" } });
    expect(origin.requests).toHaveLength(before);
  });
});

// A half-closed socket looks to workerd as one that was closed politely, until it writes; then it does not mind.
describe("a client that shuts its sending side and reads on", () => {
  it("gets the rest of its stream, keep-alives too", async () => {
    using client = await send(hasty.port, { body: chatRequest("half-stream", { stream: true }) });
    const request = await origin.request("half-stream");
    client.halfClose();
    await client.until(KEEPALIVE + KEEPALIVE);
    await request.write(ROLE + WORD);
    await client.until(WORD);
    request.end(FINISH + DONE);
    expect((await client.text()).replaceAll(KEEPALIVE, "")).toBe(ROLE + WORD + FINISH + DONE);
    expect(await request.closed).toBe("finished");
    expect((await lineOf(hasty, request))["sluice.ending"]).toBe("finished");
  });

  it("gets its whole answer", async () => {
    using client = await send(hasty.port, { body: chatRequest("half-whole") });
    const request = await origin.request("half-whole");
    client.halfClose();
    request.json(wholeAnswer());
    expect(await client.text()).toBe(JSON.stringify(wholeAnswer()));
    expect(await request.closed).toBe("finished");
    expect((await lineOf(hasty, request))["sluice.ending"]).toBe("finished");
  });
});
