/** The data point of a request: what stands at which position, and within which bounds. */
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { BLOBS, datasetIn, DOUBLES, makePoint, type DataPoint } from "../../../src/gateway/metrics.ts";
import type { Record } from "../../../src/gateway/record.ts";
import { report } from "../../../src/gateway/report.ts";
import { FakeClock } from "../../support/clock.ts";

const TRACE = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "1122334455664788",
  flags: "01",
  state: undefined,
};
const BARE: Record = { id: "req_1", operation: "none", trace: TRACE, startedAt: 1_000 };
const STREAMED: Record = {
  ...BARE,
  operation: "chat",
  caller: "team",
  model: "m",
  stream: true,
  status: 200,
  origin: "https://gpu.test/one",
  attempts: 2,
  headAt: 1_050,
  firstEventAt: 1_100,
  firstWordAt: 1_250,
  lastEventAt: 2_250,
  heldMs: 240,
  events: 12,
  tokens: { prompt: 7, completion: 11 },
  finishReasons: ["stop", "length", "stop"],
};

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

describe("a data point", () => {
  test("of a stream that finished", () => {
    expect(makePoint(STREAMED, { kind: "finished" }, 2_500)).toEqual({
      indexes: ["team"],
      blobs: [
        "chat",
        "m",
        "team",
        "finished",
        "",
        "",
        "https://gpu.test/one",
        "stop,length",
        "true",
        "req_1",
        "0af7651916cd43dd8448eb211c80319c",
      ],
      doubles: [1.5, 0.25, 0.1, 7, 11, 12, 200, 0.24, 0.05, 1],
    });
  });

  test("of a request that failed at the door, and of one whose client left", () => {
    const error = new GatewayError("invalid_api_key", "No API key was given.");
    expect(makePoint({ ...BARE, status: 401 }, { kind: "failed", error }, 1_004)).toEqual({
      indexes: ["-"],
      blobs: ["none", "", "", "failed", "invalid_api_key", "", "", "", "", "req_1", "0af7651916cd43dd8448eb211c80319c"],
      doubles: [0.004, 0, 0, 0, 0, 0, 401, 0, 0, 0],
    });
    const { blobs } = makePoint(STREAMED, { kind: "client_left", stage: "streaming" }, 2_500);
    expect(blobs.slice(3, 6)).toEqual(["client_left", "", "streaming"]);
  });

  test("keeps the limits, whatever the names", () => {
    const long = "\u20ac".repeat(5_000);
    const hostile = { ...STREAMED, caller: long, model: long, origin: long, finishReasons: [long] };
    const { indexes, blobs, doubles } = makePoint(hostile, { kind: "finished" }, 2_500);
    expect(indexes).toEqual(["\u20ac".repeat(32)]);
    expect(blobs.map(bytesOf).reduce((sum, bytes) => sum + bytes)).toBeLessThan(16_000);
    expect(Math.max(...blobs.map(bytesOf)) * 20).toBeLessThan(16_000);
    expect([blobs.length, doubles.length]).toEqual([11, 10]);
    expect(Math.max(BLOBS.length, DOUBLES.length)).toBeLessThanOrEqual(20);
  });

  test("has an index that is cut between characters", () => {
    const point = makePoint({ ...STREAMED, caller: `a${"\u{1f600}".repeat(30)}` }, { kind: "finished" }, 2_500);
    expect(point.indexes).toEqual([`a${"\u{1f600}".repeat(23)}`]);
  });
});

describe("the dataset", () => {
  test("is what is bound as METRICS, if it is one", () => {
    const dataset = { writeDataPoint: () => {} };
    expect(datasetIn({ METRICS: dataset })).toBe(dataset);
    expect([{}, { METRICS: "sluice" }, { METRICS: null }, { METRICS: {} }].map(datasetIn)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

/** The lines of a request that is reported to a dataset with this way to write, if there is one. */
function reported(writeDataPoint?: (point: DataPoint) => void): unknown[] {
  const lines: unknown[] = [];
  const gateway = { clock: new FakeClock(), log: (line: string) => void lines.push(JSON.parse(line)) };
  report(STREAMED, { kind: "finished" }, gateway, { metrics: writeDataPoint && { writeDataPoint } });
  return lines;
}

describe("a report", () => {
  test("is one line and one point", () => {
    const points: DataPoint[] = [];
    expect(reported((point) => points.push(point))).toMatchObject([
      { message: "request", "sluice.request.id": "req_1" },
    ]);
    expect(points).toHaveLength(1);
  });

  test("is a line alone where nothing is bound", () => {
    expect(reported()).toHaveLength(1);
  });

  test("says so where counting fails, and nothing else comes of that", () => {
    const lines = reported(() => {
      throw new TypeError("Too many points.");
    });
    expect(lines).toMatchObject([
      { message: "request" },
      { message: "metrics", "sluice.request.id": "req_1", "exception.message": "Too many points." },
    ]);
  });
});
