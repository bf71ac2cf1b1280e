import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OpenAIError, Usage } from "./chunks.ts";
import { expectFraming, expectGrammar } from "./grammar.ts";
import { expectNoLeak, ORIGIN_KEY } from "./leaks.ts";
import type { AskedCase, Case, Dialect, ErrorResponse, Rows, StreamResponse, WholeResponse } from "./row.ts";
import { asChatStream, TYPES } from "./messages.ts";
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
          for (const operation of playedIn(name, one)) {
            for (const dialect of one.dialects ?? DIALECTS) {
              for (const whole of waysOf(one, operation)) {
                const how = `${operation}, ${dialect}, ${whole ? "whole" : "stream"}`;
                it(`${name} (${how}): ${one.it}`, () =>
                  play(stage, one, { model: modelOf(name, one, dialect), operation, whole }));
              }
            }
          }
        }
      }
    }
  });
}

const DIALECTS = ["python", "rust"] as const;

/** The operations in which a case is played. */
export function playedIn(row: string, { in: given, whole }: AskedCase): readonly OperationName[] {
  return (given ?? operationsOf(row)).filter((name) => whole || name !== "count_tokens");
}

/** Whether a whole answer is asked for: what comes of a stream of Messages comes of a whole message as well. */
function waysOf({ whole }: AskedCase, operation: OperationName): readonly boolean[] {
  return operation === "messages" && !whole ? [false, true] : [whole === true];
}

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

interface Asking {
  readonly model: string;
  readonly operation: OperationName;
  readonly whole: boolean;
}

async function play(stage: Stage, one: AskedCase, { model, operation, whole }: Asking): Promise<void> {
  const { on = "calm", request = {} } = one;
  const gets = whole ? toldWhole(one.gets) : one.gets;
  const { client, mark } = await stage.ask(on, model, {
    operation,
    request: { ...request, stream: !whole },
    // A case tells its headers of one way of asking.
    headers: (whole === (one.whole === true) && one.headers) || {},
  });
  using _ = client;
  const { status, headers } = await client.head();
  const body = await client.text();
  expectNoLeak({ headers, body }, stage.sim.port);
  const { "error.type": code } = await stage.worker(on).line(String(headers["x-request-id"]));
  if ("status" in gets) expectRefusal({ status, headers, body }, gets, { operation, code });
  else if ("frames" in gets) {
    expect(status, body).toBe(200);
    expect(headers).toMatchObject(STREAM_HEADERS);
    const spelled = operation === "messages" ? asChatStream(body, code) : body;
    expectStream(new AnswerStream(spelled, operation), gets, model, request);
  } else {
    expect(status, body).toBe(200);
    expect(headers).toMatchObject({ "content-type": "application/json" });
    expectWhole(body, gets, model, operation);
  }
  // An origin whose stream is folded is freed as soon as it fails, and may have written its last by then.
  const origin = one.origin ?? (operation === "messages" && "status" in gets ? "either" : ["finished"]);
  const ends = origin === "either" ? [expect.stringMatching(/^(finished|closed)$/)] : origin;
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

/** What a stream comes to that is told as a whole: its finish and its content, or the error in it. */
function toldWhole(gets: AskedCase["gets"]): ErrorResponse | WholeResponse {
  if (!("frames" in gets)) return gets;
  const { frames, text, calls, usage, error } = gets;
  const list = Array.isArray(frames) ? frames : [];
  const code = list.find((frame) => frame.startsWith("error "))?.slice("error ".length);
  if (code !== undefined) {
    const [status, retry] = STATUSES[code] ?? [];
    return { status: status ?? 0, error: error ?? { code, message: expect.any(String) }, retry: retry ?? "true" };
  }
  const finish = list.find((frame) => frame.startsWith("finish "))?.slice("finish ".length);
  return {
    answer: { finish: finish ?? expect.any(String), ...(text !== undefined && { text }) },
    ...(calls && { calls }),
    ...(usage && { usage: usage === "counted" ? COUNTED.messages : usage }),
  };
}

/** What an error in a stream is as an HTTP status, where the whole answer is not sent yet. */
const STATUSES: Readonly<Record<string, readonly [status: number, retry: "true" | "false"]>> = {
  invalid_request: [400, "false"],
  origin_cut: [502, "true"],
  origin_error: [expect.toSatisfy((status: number) => status === 500 || status === 502), "true"],
  origin_protocol: [502, "false"],
  origin_timeout: [504, "false"],
};

interface Told {
  readonly operation: OperationName;
  /** What the log says. */
  readonly code: unknown;
}

function expectRefusal({ status, headers, body }: Response, gets: ErrorResponse, { operation, code }: Told): void {
  const { error, ...rest }: { error: OpenAIError } = JSON.parse(body);
  expect({ status, code }, body).toEqual({ status: gets.status, code: gets.error.code });
  if (isOfAnthropic(operation)) {
    expect(rest).toEqual({ type: "error", request_id: headers["request-id"] });
    expectError({ ...error, param: null, code: gets.error.code }, gets.error, operation);
  } else expectError(error, gets.error, operation);
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["x-should-retry"], "x-should-retry").toBe(gets.retry);
  const seconds = gets.retryAfter;
  const hints = seconds === undefined ? [undefined, undefined] : [`${seconds}`, `${seconds * 1_000}`];
  expect([headers["retry-after"], headers["retry-after-ms"]]).toEqual(hints);
}

function isOfAnthropic(operation: OperationName): boolean {
  return operation === "messages" || operation === "count_tokens";
}

function expectError(
  error: OpenAIError | undefined,
  { code, message, param }: ErrorResponse["error"],
  operation: OperationName,
): void {
  const ours = isOfAnthropic(operation);
  expect(error).toEqual({
    message: message ?? expect.stringMatching(/^[A-Z"].{10,300}\.$/),
    type: ours ? TYPES[code] : expect.stringMatching(/^(invalid_request|rate_limit|server)_error$/),
    param: ours ? null : (param ?? null),
    code,
  });
}

/** The prompt as each operation has it, and six words and the end mark. */
const COUNTED: Readonly<Record<OperationName, Usage>> = {
  chat: { prompt_tokens: 13, completion_tokens: 7, total_tokens: 20 },
  completions: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  generate: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
  messages: { prompt_tokens: 13, completion_tokens: 7, total_tokens: 20 },
  count_tokens: { prompt_tokens: 13 },
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
  if (gets.error) expectError(stream.error, gets.error, stream.operation);
  if (gets.usage) expect(stream.usage).toMatchObject(gets.usage === "counted" ? COUNTED[stream.operation] : gets.usage);
  if (gets.keepalives) expect(stream.keepalives).toBeGreaterThan(0);
  gets.also?.(stream);
  const { include_usage: usage = false, continuous_usage_stats: each = false } = request.stream_options ?? {};
  const always = stream.operation === "messages";
  expectGrammar(stream, { model, usage: usage || always, continuousUsage: usage && each && !always });
}
