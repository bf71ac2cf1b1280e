/**
 * What is counted of each request: one data point in Workers Analytics Engine, which knows its columns by position alone.
 * The tables below say what stands where; docs/watch.md has the same list, and queries that read it.
 * https://developers.cloudflare.com/analytics/analytics-engine/
 */
import type { Ending } from "../stream/ending.ts";
import { summarize, type Record, type Summary } from "./record.ts";

/** The part of the binding that is used. */
export interface Dataset {
  writeDataPoint(point: DataPoint): void;
}

export interface DataPoint {
  readonly indexes: string[];
  readonly blobs: string[];
  readonly doubles: number[];
}

interface Counted {
  readonly record: Record;
  readonly ending: Ending;
  readonly summary: Summary;
}

type Column<Value> = readonly [name: string, read: (counted: Counted) => Value | undefined];

/** `blob1` and on: what requests are told apart by. Where there is nothing to say, an empty text. New ones go to the end. */
export const BLOBS: readonly Column<string>[] = [
  ["operation", ({ record }) => record.operation],
  ["model", ({ summary }) => summary.model],
  ["caller", ({ record }) => record.caller],
  ["ending", ({ ending }) => ending.kind],
  ["error", ({ summary }) => summary.error],
  ["stage", ({ summary }) => summary.stage],
  ["origin", ({ record }) => record.origin],
  ["finish_reasons", ({ summary }) => [...new Set(summary.finishReasons)].join(",")],
  ["stream", ({ record: { stream } }) => (stream === undefined ? undefined : String(stream))],
  ["request_id", ({ record }) => record.id],
  ["trace_id", ({ record }) => record.trace.traceId],
];

/** `double1` and on, times in seconds. Where nothing is known, 0. New ones go to the end. */
export const DOUBLES: readonly Column<number>[] = [
  ["duration", ({ summary }) => summary.duration],
  ["time_to_first_token", ({ summary }) => summary.timeToFirstToken],
  ["time_per_output_token", ({ summary }) => summary.timePerToken],
  ["input_tokens", ({ record }) => record.tokens?.prompt],
  ["output_tokens", ({ record }) => record.tokens?.completion],
  ["events", ({ record }) => record.events],
  ["status", ({ record }) => record.status],
  ["hold", ({ summary }) => summary.hold],
  ["time_to_head", ({ summary }) => summary.timeToHead],
  ["resends", ({ record: { attempts = 0 } }) => Math.max(0, attempts - 1)],
];

/** Twenty blobs of so many UTF-16 units, each three bytes at most, are less than the 16 KB that a point may have. */
const MAX_BLOB_LENGTH = 256;
const MAX_INDEX_BYTES = 96;
/** The index of requests that came to no caller: strangers, who must not thin out what is kept of the others. */
const NOBODY = "-";

/**
 * Returns the data point of a request that ended at `endedAt`. The index is what Analytics Engine samples by when there are
 * too many points: it is the caller, so that each key's sums stay right however busy another one is.
 */
export function makePoint(record: Record, ending: Ending, endedAt: number): DataPoint {
  const counted = { record, ending, summary: summarize(record, ending, endedAt) };
  return {
    indexes: [cutToBytes(record.caller ?? NOBODY, MAX_INDEX_BYTES)],
    blobs: BLOBS.map(([, read]) => (read(counted) ?? "").slice(0, MAX_BLOB_LENGTH)),
    doubles: DOUBLES.map(([, read]) => read(counted) ?? 0),
  };
}

/** Returns the dataset bound as `METRICS`, if one is. */
export function datasetIn(env: object): Dataset | undefined {
  const bound: unknown = "METRICS" in env ? env.METRICS : undefined;
  return isDataset(bound) ? bound : undefined;
}

function isDataset(bound: unknown): bound is Dataset {
  if (typeof bound !== "object" || bound === null) return false;
  return "writeDataPoint" in bound && typeof bound.writeDataPoint === "function";
}

/** Returns the beginning of `text` that fits into `max` bytes of UTF-8, no character cut in two. */
function cutToBytes(text: string, max: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= max) return text;
  // What the cut leaves of a character decodes to nothing in a stream that goes on.
  return new TextDecoder().decode(bytes.subarray(0, max), { stream: true });
}
