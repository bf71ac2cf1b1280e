import type { Json } from "./json.ts";

/** One request as the simulated origin saw it. Times are milliseconds since the epoch. */
export interface RecordedRequest {
  id: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The text as received: empty until the body is complete. */
  body: string;
  /** The model as the request spells it, null where there is none. */
  model: string | null;
  startedAt: number;
  /** When the answer's head was written, null before that. */
  firstByteAt: number | null;
  /** `closed`: the client hung up before the answer was complete; that is what an abort looks like. */
  ended: "open" | "finished" | "closed";
  endedAt: number | null;
  /** Bytes of the answer's body so far, without HTTP's own framing. */
  bytes: number;
  /** SSE records so far: events, the terminator and comments. */
  frames: number;
}

export interface Recorder {
  start(method: string, path: string, headers: Record<string, string>): RecordedRequest;
  list(since: number): RecordedRequest[];
  clear(): void;
  asJson(since: number): Json;
}

const LIMIT = 1000;

/** Keeps the last thousand requests, oldest first. `since` leaves out ids up to and including it. */
export function createRecorder(): Recorder {
  const records: RecordedRequest[] = [];
  let lastId = 0;
  const list = (since: number): RecordedRequest[] => records.filter((record) => record.id > since);
  return {
    start(method, path, headers) {
      lastId += 1;
      const record: RecordedRequest = {
        id: lastId,
        method,
        path,
        headers,
        body: "",
        model: null,
        startedAt: Date.now(),
        firstByteAt: null,
        ended: "open",
        endedAt: null,
        bytes: 0,
        frames: 0,
      };
      records.push(record);
      if (records.length > LIMIT) records.shift();
      return record;
    },
    list,
    clear: () => void records.splice(0),
    asJson: (since) => list(since).map((record) => ({ ...record })),
  };
}

/** Marks how a request ended; the first word counts. */
export function settle(record: RecordedRequest | null, ended: "finished" | "closed"): void {
  if (record === null || record.ended !== "open") return;
  record.ended = ended;
  record.endedAt = Date.now();
}
