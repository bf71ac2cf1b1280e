/** The trace: a client's goes on to the origin with a span of ours, and stands in the log. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerChat, chatRequest } from "../support/chat-frames.ts";
import { send } from "../support/client.ts";
import { startOrigin, type Origin, type OriginRequest } from "../support/origin.ts";
import { startWorker, type LogLine, type Worker } from "../support/worker.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_ID = "b7ad6b7169203331";

let origin: Origin;
let worker: Worker;
let asked = 0;

beforeAll(async () => {
  origin = await startOrigin(answerChat);
  worker = await startWorker({ ORIGINS: [{ url: origin.url }] });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

async function ask(
  headers: Readonly<Record<string, string>>,
  stream: boolean,
): Promise<{ readonly request: OriginRequest; readonly line: LogLine }> {
  asked += 1;
  const mark = `trace ${asked}.`;
  using client = await send(worker.port, { headers, body: chatRequest(mark, { stream }) });
  const head = await client.head();
  await client.text();
  return { request: await origin.request(mark), line: await worker.line(String(head.headers["x-request-id"])) };
}

function partsOf({ headers }: OriginRequest): string[] {
  return String(headers["traceparent"]).split("-");
}

for (const stream of [true, false]) {
  it(`goes on, flags and state as they were, with ${stream ? "a stream" : "a whole answer"}`, async () => {
    for (const flags of ["00", "01"]) {
      const traceparent = `00-${TRACE_ID}-${SPAN_ID}-${flags}`;
      const { request, line } = await ask({ traceparent, tracestate: "rojo=00f067aa0ba902b7,congo=t61" }, stream);
      const [version, traceId, spanId, passed] = partsOf(request);
      expect([version, traceId, passed]).toEqual(["00", TRACE_ID, flags]);
      expect(spanId).toMatch(/^(?!b7ad6b7169203331$)[0-9a-f]{16}$/);
      expect(request.headers["tracestate"]).toBe("rojo=00f067aa0ba902b7,congo=t61");
      expect(line).toMatchObject({ trace_id: TRACE_ID, span_id: spanId, trace_flags: flags });
      // The origin's own log has the id that the client was given.
      expect(request.headers["x-request-id"]).toBe(line["sluice.request.id"]);
    }
  });
}

it.each<[string, Record<string, string>]>([
  ["none", {}],
  ["one that is not valid", { traceparent: `00-${TRACE_ID}-0000000000000000-01`, tracestate: "rojo=1" }],
  ["a state alone", { tracestate: "rojo=1" }],
])("begins where the client has %s", async (_what, headers) => {
  const { request, line } = await ask(headers, true);
  const other = await ask(headers, true);
  const [, traceId, spanId, flags] = partsOf(request);
  expect(request.headers["traceparent"]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(traceId).not.toBe(TRACE_ID);
  expect(request.headers).not.toHaveProperty("tracestate");
  expect(line).toMatchObject({ trace_id: traceId, span_id: spanId, trace_flags: flags });
  expect(other.line["trace_id"]).not.toBe(traceId);
});
