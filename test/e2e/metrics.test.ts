/** One data point for each request, wherever requests are counted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerChat, chatRequest } from "../support/chat-frames.ts";
import { send, type Sending } from "../support/client.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { eventually, startWorker } from "../support/worker.ts";
import { pointsIn, TELLING_POINTS } from "./support/points.ts";

let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin(answerChat);
});

afterAll(() => origin.close());

async function finish(port: number, sending: Sending): Promise<string> {
  using client = await send(port, sending);
  const { headers } = await client.head();
  await client.text();
  return String(headers["x-request-id"]);
}

describe("data points", () => {
  it("are written once for each request that has a line, refusals too", async () => {
    await using worker = await startWorker({ ORIGINS: [{ url: origin.url }] }, TELLING_POINTS);
    const streamed = await finish(worker.port, { body: chatRequest("counted", { stream: true }) });
    const refused = await finish(worker.port, { method: "GET", path: "/nowhere" });
    await finish(worker.port, { method: "GET", path: "/health" });
    const points = await eventually(() => {
      const found = pointsIn(worker.lines);
      return found.length < 2 ? undefined : found;
    });
    const lines = [await worker.line(streamed), await worker.line(refused)];
    expect(points).toMatchObject([
      {
        indexes: ["anonymous"],
        blobs: [
          "chat",
          "toy",
          "anonymous",
          "finished",
          "",
          "",
          origin.url,
          "stop",
          "true",
          streamed,
          lines[0]?.["trace_id"],
        ],
      },
      {
        indexes: ["-"],
        blobs: ["none", "", "", "failed", "not_found", "", "", "", "", refused, lines[1]?.["trace_id"]],
      },
    ]);
    expect(points[0]?.doubles.slice(3, 7)).toEqual([1, 2, 5, 200]);
    expect(points[0]?.doubles[0]).toBe(lines[0]?.["http.server.request.duration"]);
    expect(points.map(({ doubles }) => doubles.length)).toEqual([10, 10]);
  });

  it("go to a dataset of the runtime as they are, and nothing is said of that", async () => {
    await using worker = await startWorker({ ORIGINS: [{ url: origin.url }] }, { dataset: "sluice" });
    const id = await finish(worker.port, { body: chatRequest("bound", { stream: true }) });
    expect(await worker.line(id)).toMatchObject({ "sluice.ending": "finished" });
    expect(worker.lines.filter(({ message }) => message === "metrics")).toEqual([]);
  });
});

describe("a text where the dataset should be bound", () => {
  it("is a setting at fault, like any other that would have no effect", async () => {
    await using worker = await startWorker({ ORIGINS: [{ url: origin.url }], METRICS: "sluice" });
    using client = await send(worker.port, { body: chatRequest("text") });
    expect((await client.head()).status).toBe(500);
    expect((await client.json()).error).toMatchObject({ code: "misconfigured" });
  });
});
