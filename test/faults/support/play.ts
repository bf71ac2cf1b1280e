import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OpenAIError, Usage } from "./chunks.ts";
import { expectFraming, expectGrammar } from "./grammar.ts";
import { expectNoLeak, ORIGIN_KEY } from "./leaks.ts";
import type { AskedCase, Case, Dialect, ErrorResponse, Rows, StreamResponse } from "./row.ts";
import { framesIn, operationsOf, PROMPT, type OperationName } from "./operations.ts";
import { Stage } from "./stage.ts";
import { AnswerStream } from "./stream.ts";
import { expectWhole } from "./whole.ts";

const BATCH = 24;

/** Makes a test of each case of each row, in each dialect in which it can be asked. */
export function playRows(table: string, rows: Rows): void {
  vi.setConfig({ maxConcurrency: BATCH });
  let stage: Stage;
  const cases = Object.values(rows).flat();
  beforeAll(async () => {
    const models = Object.entries(rows).flatMap(([name, row]) => row.flatMap((one) => modelsOf(name, one)));
    stage = await Stage.open(new Set(cases.map(({ on = "calm" }) => on)), models);
  });
  afterAll(async () => {
    const { lines } = stage;
    await stage[Symbol.asyncDispose]();
    expect([PROMPT, ORIGIN_KEY].filter((secret) => lines.includes(secret))).toEqual([]);
  });
  describe.concurrent(table, () => {
    for (const [name, row] of Object.entries(rows)) {
      for (const one of row) {
        if ("run" in one) it(`${name}: ${one.it}`, () => one.run(stage));
        else {
          for (const operation of one.in ?? operationsOf(name)) {
            for (const dialect of one.dialects ?? DIALECTS) {
              const how = `${operation}, ${dialect}, ${one.whole ? "whole" : "stream"}`;
              it(`${name} (${how}): ${one.it}`, () => play(stage, one, modelOf(name, one, dialect), operation));
            }
          }
        }
      }
    }
  });
}

const DIALECTS = ["python", "rust"] as const;

/** The simulated models that a case asks for. */
export function modelsOf(name: string, one: Case): readonly string[] {
  return "run" in one ? (one.models ?? []) : (one.dialects ?? DIALECTS).map((dialect) => modelOf(name, one, dialect));
}

function modelOf(name: string, one: AskedCase, dialect: Dialect): string {
  const plain = one.on === "nowhere" || one.on === "pair" ? "chat" : name;
  const switches = one.switches?.includes("words=")
    ? one.switches
    : ["words=6", one.switches].filter(Boolean).join("&");
  return `sim/${plain}${dialect === "rust" && plain !== "error-rust" ? "-rust" : ""}?${switches}`;
}

async function play(stage: Stage, one: AskedCase, model: string, operation: OperationName): Promise<void> {
  const { gets, on = "calm", request = {}, whole = false } = one;
  const { client, mark } = await stage.ask(on, model, {
    operation,
    request: { ...request, stream: !whole },
    headers: one.headers ?? {},
  });
  using _ = client;
  const { status, headers } = await client.head();
  const body = await client.text();
  expectNoLeak({ headers, body }, stage.sim.port);
  if ("status" in gets) expectRefusal({ status, headers, body }, gets);
  else if ("frames" in gets) {
    expect(status, body).toBe(200);
    expect(headers).toMatchObject(STREAM_HEADERS);
    expectStream(new AnswerStream(body, operation), gets, model, request);
  } else {
    expect(status, body).toBe(200);
    expect(headers).toMatchObject({ "content-type": "application/json" });
    expectWhole(body, gets, model, operation);
  }
  const ends = one.origin === "either" ? [expect.stringMatching(/^(finished|closed)$/)] : (one.origin ?? ["finished"]);
  expect(await stage.ends(mark, ends.length), "how the origin's requests ended").toEqual(ends);
  for (const { bytes, body: heard } of stage.records(mark)) {
    if (one.originBytes !== undefined) expect(bytes).toBeLessThan(one.originBytes);
    for (const field of one.unheard ?? []) expect(JSON.parse(heard)).not.toHaveProperty([field]);
  }
}

const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-store, no-transform",
  "x-accel-buffering": "no",
  "transfer-encoding": "chunked",
};

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function expectRefusal({ status, headers, body }: Response, gets: ErrorResponse): void {
  const { error }: { error: OpenAIError } = JSON.parse(body);
  expect({ status, code: error.code }, body).toEqual({ status: gets.status, code: gets.error.code });
  expectError(error, gets.error);
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["x-should-retry"], "x-should-retry").toBe(gets.retry);
  const seconds = gets.retryAfter;
  const hints = seconds === undefined ? [undefined, undefined] : [`${seconds}`, `${seconds * 1_000}`];
  expect([headers["retry-after"], headers["retry-after-ms"]]).toEqual(hints);
}

function expectError(error: OpenAIError | undefined, expected: ErrorResponse["error"]): void {
  expect(error).toEqual({
    message: expected.message ?? expect.stringMatching(/^[A-Z"].{10,300}\.$/),
    type: expect.stringMatching(/^(invalid_request|rate_limit|server)_error$/),
    param: expected.param ?? null,
    code: expected.code,
  });
}

/** The prompt as each operation has it, and six words and the end mark. */
const COUNTED: Readonly<Record<OperationName, Usage>> = {
  chat: { prompt_tokens: 13, completion_tokens: 7, total_tokens: 20 },
  completions: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  generate: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
};

function expectStream(
  stream: AnswerStream,
  gets: StreamResponse,
  model: string,
  request: { readonly stream_options?: { include_usage?: boolean; continuous_usage_stats?: boolean } },
): void {
  expectFraming(stream);
  expect(stream.frames).toEqual(framesIn(stream.operation, gets.frames));
  if (gets.text !== undefined) expect(stream.text()).toBe(gets.text);
  if (gets.otherText !== undefined) expect(stream.text(1)).toBe(gets.otherText);
  if (gets.calls) expect(stream.calls()).toEqual(gets.calls);
  if (gets.error) expectError(stream.error, gets.error);
  if (gets.usage) expect(stream.usage).toMatchObject(gets.usage === "counted" ? COUNTED[stream.operation] : gets.usage);
  if (gets.keepalives) expect(stream.keepalives).toBeGreaterThan(0);
  gets.also?.(stream);
  const { include_usage: usage = false, continuous_usage_stats: each = false } = request.stream_options ?? {};
  expectGrammar(stream, { model, usage, continuousUsage: usage && each });
}
