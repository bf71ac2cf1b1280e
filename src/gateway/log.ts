/**
 * The one line that each request leaves in the log: a flat JSON object. The names are OpenTelemetry's where it has them
 * (its GenAI conventions, HTTP's and the log's own), and `sluice.` where it has none. docs/watch.md explains each.
 * https://github.com/open-telemetry/semantic-conventions-genai
 */
import type { Ending } from "../stream/ending.ts";
import { summarize, type Record } from "./record.ts";

/** Returns the log line of a request that ended at `endedAt`; what is not known is left out. */
export function writeLine(record: Record, ending: Ending, endedAt: number): string {
  const { trace, genAiName, tokens, attempts = 0 } = record;
  const summary = summarize(record, ending, endedAt);
  return JSON.stringify({
    message: "request",
    "sluice.request.id": record.id,
    trace_id: trace.traceId,
    span_id: trace.spanId,
    trace_flags: trace.flags,
    "sluice.operation": record.operation,
    "gen_ai.operation.name": genAiName,
    "gen_ai.provider.name": genAiName && "vllm",
    "sluice.caller": record.caller,
    "gen_ai.request.model": summary.model,
    "gen_ai.request.stream": record.stream,
    "http.response.status_code": record.status,
    "sluice.ending": ending.kind,
    "sluice.stage": summary.stage,
    "error.type": summary.error,
    "sluice.error.cause": ending.kind === "failed" ? describeCause(ending.error.cause) : undefined,
    ...describeOrigin(record.origin),
    "http.request.resend_count": attempts > 1 ? attempts - 1 : undefined,
    "gen_ai.response.finish_reasons": summary.finishReasons,
    "gen_ai.usage.input_tokens": tokens?.prompt,
    "gen_ai.usage.output_tokens": tokens?.completion,
    "http.server.request.duration": summary.duration,
    "sluice.origin.time_to_head": summary.timeToHead,
    "gen_ai.response.time_to_first_chunk": summary.timeToFirstChunk,
    "gen_ai.server.time_to_first_token": summary.timeToFirstToken,
    "gen_ai.server.time_per_output_token": summary.timePerToken,
    "sluice.hold": summary.hold,
    "sluice.events": record.events,
  });
}

/** OpenTelemetry takes an address apart; two origins may differ in nothing but their paths. */
function describeOrigin(origin: string | undefined): object {
  const url = origin === undefined ? null : URL.parse(origin);
  if (!url) return {};
  const port = url.port === "" ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  return { "sluice.origin.url": origin, "server.address": url.hostname, "server.port": port };
}

const DEFAULT_PORTS: Readonly<globalThis.Record<string, number>> = { "http:": 80, "https:": 443 };

/** A cause is our own words or the runtime's error; anything else might hold a body and is named by its type alone. */
function describeCause(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  if (typeof cause === "string") return cause;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause;
}
