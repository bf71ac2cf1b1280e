/** The line that a request leaves in the log, name by name. */
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { writeLine } from "../../../src/gateway/log.ts";
import type { Record } from "../../../src/gateway/record.ts";
import type { Ending } from "../../../src/stream/ending.ts";

const TRACE = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "1122334455664788",
  flags: "01",
  state: "vendor=private",
};
const BARE: Record = { id: "req_1", operation: "none", trace: TRACE, startedAt: 1_000 };
const STREAMED: Record = {
  ...BARE,
  operation: "messages",
  genAiName: "chat",
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
  finishReasons: ["stop", "length"],
};

function line(record: Record, ending: Ending = { kind: "finished" }, endedAt = 2_500): { [name: string]: unknown } {
  return JSON.parse(writeLine(record, ending, endedAt));
}

describe("the line", () => {
  test("of a stream that finished says all that is known of it, in OpenTelemetry's names and in seconds", () => {
    expect(line(STREAMED)).toEqual({
      message: "request",
      "sluice.request.id": "req_1",
      trace_id: "0af7651916cd43dd8448eb211c80319c",
      span_id: "1122334455664788",
      trace_flags: "01",
      "sluice.operation": "messages",
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "vllm",
      "sluice.caller": "team",
      "gen_ai.request.model": "m",
      "gen_ai.request.stream": true,
      "http.response.status_code": 200,
      "sluice.ending": "finished",
      "sluice.origin.url": "https://gpu.test/one",
      "server.address": "gpu.test",
      "server.port": 443,
      "http.request.resend_count": 1,
      "gen_ai.response.finish_reasons": ["stop", "length"],
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 11,
      "http.server.request.duration": 1.5,
      "sluice.origin.time_to_head": 0.05,
      "gen_ai.response.time_to_first_chunk": 0.1,
      "gen_ai.server.time_to_first_token": 0.25,
      "gen_ai.server.time_per_output_token": 0.1,
      "sluice.hold": 0.24,
      "sluice.events": 12,
    });
  });

  test("of a request that was nobody's leaves out what is not known", () => {
    const error = new GatewayError("not_found", "There is nothing at this path.");
    expect(line({ ...BARE, status: 404 }, { kind: "failed", error })).toEqual({
      message: "request",
      "sluice.request.id": "req_1",
      trace_id: "0af7651916cd43dd8448eb211c80319c",
      span_id: "1122334455664788",
      trace_flags: "01",
      "sluice.operation": "none",
      "http.response.status_code": 404,
      "sluice.ending": "failed",
      "error.type": "not_found",
      "http.server.request.duration": 1.5,
    });
  });

  test("of a client that left says how far it had come, which is no error", () => {
    const left = line(STREAMED, { kind: "client_left", stage: "prefill" });
    expect(left).toMatchObject({ "sluice.ending": "client_left", "sluice.stage": "prefill" });
    expect(left).not.toHaveProperty(["error.type"]);
  });

  test.each([
    ["our own words", "finish_reason abort", "finish_reason abort"],
    ["the runtime's error", new TypeError("Network connection lost."), "TypeError: Network connection lost."],
    ["what may be a body", { prompt: "secret" }, "object"],
    ["none", undefined, undefined],
  ])("tells of a cause that is %s no more than it may", (_what, cause, told) => {
    const error = new GatewayError("origin_error", "It failed.", { cause });
    expect(line(STREAMED, { kind: "failed", error })["sluice.error.cause"]).toBe(told);
  });

  test("cuts what others may make as long as they like", () => {
    const long = line({
      ...STREAMED,
      model: "m".repeat(1_000),
      finishReasons: Array.from({ length: 20 }, () => "r".repeat(99)),
    });
    expect(long["gen_ai.request.model"]).toBe("m".repeat(200));
    expect(long["gen_ai.response.finish_reasons"]).toEqual(Array.from({ length: 16 }, () => "r".repeat(40)));
  });

  test.each([
    ["http://10.0.0.7:8000", "10.0.0.7", 8000],
    ["http://gpu.test", "gpu.test", 80],
    ["https://[::1]:8443/base", "[::1]", 8443],
  ])("takes the origin %s apart", (origin, address, port) => {
    expect(line({ ...STREAMED, origin })).toMatchObject({
      "sluice.origin.url": origin,
      "server.address": address,
      "server.port": port,
    });
  });

  test("never says what other tracing systems keep in the trace", () => {
    expect(JSON.stringify(line(STREAMED))).not.toContain("private");
  });
});

const time = (changes: Partial<Record>): unknown =>
  line({ ...STREAMED, ...changes })["gen_ai.server.time_per_output_token"];

describe("the time of a token", () => {
  test("counts those after the first, to the microsecond", () => {
    expect(time({ tokens: { prompt: 7, completion: 4 } })).toBe(0.333333);
    expect(time({ tokens: { prompt: 7, completion: 2 } })).toBe(1);
  });

  test("is not known of a single token, of tokens that nobody counted, or of a stream that said nothing", () => {
    const { tokens: _tokens, ...uncounted } = STREAMED;
    const { firstWordAt: _word, ...silent } = STREAMED;
    expect(time({ tokens: { prompt: 7, completion: 1 } })).toBeUndefined();
    expect(line(uncounted)).not.toHaveProperty(["gen_ai.server.time_per_output_token"]);
    expect(line(silent)).not.toHaveProperty(["gen_ai.server.time_per_output_token"]);
  });

  test("nor of what does not stream, whose first byte is no token", () => {
    const relayed = line({ ...STREAMED, stream: false });
    expect(Object.keys(relayed).filter((name) => /time_(to_first|per)/.test(name))).toEqual([]);
  });
});
