import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OpenAIError, Usage } from "./chunks.ts";
import { expectFraming, expectGrammar } from "./grammar.ts";
import { expectNoLeak, ORIGIN_KEY } from "./leaks.ts";
import type { AskedCase, Dialect, ErrorResponse, Rows, StreamResponse, WholeResponse } from "./row.ts";
import { PROMPT, Stage } from "./stage.ts";
import { ChatStream } from "./stream.ts";

const BATCH = 16;

/** Makes a test of each case of each row, in each dialect in which it can be asked. */
export function playRows(table: string, rows: Rows): void {
  vi.setConfig({ maxConcurrency: BATCH });
  let stage: Stage;
  const cases = Object.values(rows).flat();
  beforeAll(async () => {
    stage = await Stage.open(new Set(cases.map(({ on = "calm" }) => on)));
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
          for (const dialect of one.dialects ?? (["python", "rust"] as const)) {
            const kind = one.whole ? "whole" : "stream";
            it(`${name} (${dialect}, ${kind}): ${one.it}`, () => play(stage, one, modelOf(name, one, dialect)));
          }
        }
      }
    }
  });
}

/** The simulated model that a case asks for. */
export function modelOf(name: string, one: AskedCase, dialect: Dialect): string {
  const plain = one.on === "nowhere" || one.on === "pair" ? "chat" : name;
  const switches = one.switches?.includes("words=")
    ? one.switches
    : ["words=6", one.switches].filter(Boolean).join("&");
  return `sim/${plain}${dialect === "rust" && plain !== "error-rust" ? "-rust" : ""}?${switches}`;
}

async function play(stage: Stage, one: AskedCase, model: string): Promise<void> {
  const { gets, on = "calm", request = {}, whole = false } = one;
  const { client, mark } = await stage.ask(on, model, { ...request, stream: !whole }, one.headers);
  using _ = client;
  const { status, headers } = await client.head();
  const body = await client.text();
  expectNoLeak({ headers, body }, stage.sim.port);
  if ("status" in gets) expectRefusal({ status, headers, body }, gets);
  else if ("frames" in gets) {
    expect(status, body).toBe(200);
    expect(headers).toMatchObject(STREAM_HEADERS);
    expectStream(new ChatStream(body), gets, model, request);
  } else {
    expect(status, body).toBe(200);
    expect(headers).toMatchObject({ "content-type": "application/json" });
    expectWhole(body, gets, model);
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

function expectStream(
  stream: ChatStream,
  gets: StreamResponse,
  model: string,
  request: { readonly stream_options?: { include_usage?: boolean; continuous_usage_stats?: boolean } },
): void {
  expectFraming(stream);
  expect(stream.frames).toEqual(gets.frames);
  if (gets.text !== undefined) expect(stream.text()).toBe(gets.text);
  if (gets.otherText !== undefined) expect(stream.text(1)).toBe(gets.otherText);
  if (gets.calls) expect(stream.calls()).toEqual(gets.calls);
  if (gets.error) expectError(stream.error, gets.error);
  if (gets.usage) expect(stream.usage).toMatchObject(gets.usage);
  if (gets.keepalives) expect(stream.keepalives).toBeGreaterThan(0);
  gets.also?.(stream);
  const { include_usage: usage = false, continuous_usage_stats: each = false } = request.stream_options ?? {};
  expectGrammar(stream, { model, usage, continuousUsage: usage && each });
}

interface WholeBody {
  readonly model: string;
  readonly usage?: Usage;
  readonly choices: readonly [
    {
      readonly finish_reason: string;
      readonly message: {
        readonly content: string | null;
        readonly reasoning?: string;
        readonly reasoning_content?: string;
        readonly tool_calls?: readonly { readonly id: string; readonly type: string; readonly function: unknown }[];
      };
    },
  ];
}

function expectWhole(body: string, { answer, calls, usage, also }: WholeResponse, model: string): void {
  const { model: called, usage: told, choices }: WholeBody = JSON.parse(body);
  const [{ finish_reason: finish, message }] = choices;
  expect(called).toBe(model);
  expect(finish).toBe(answer.finish);
  if (answer.text !== undefined) expect(message.content).toBe(answer.text);
  if (answer.reasoning !== undefined)
    expect(message).toMatchObject({ reasoning: answer.reasoning, reasoning_content: answer.reasoning });
  if (calls) {
    expect(message.tool_calls?.map((call) => call.function)).toEqual(calls);
    for (const { id, type } of message.tool_calls ?? []) expect([typeof id, type]).toEqual(["string", "function"]);
  }
  if (usage) expect(told).toMatchObject(usage);
  also?.(body);
}
