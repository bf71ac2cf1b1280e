/**
 * What a real vLLM streamed arrives whole and repaired, however the network cut it: every recorded chat stream, up to an
 * error event. Comments stay behind, and an error becomes the one that a client reads.
 */
import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectOwed } from "../support/chat-owed.ts";
import type { Json } from "../support/chat-records.ts";
import { send } from "../support/client.ts";
import { byteByByte, randomCut, recordedSizes, type Cut } from "../support/cuts.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";

const FOLDER = "test/conformance/transcripts";
const SEED = Number(process.env["SEED"] ?? 1);
/** Longer streams come in pieces of seven bytes where shorter ones come byte by byte: it would take too long. */
const BYTE_BY_BYTE_UP_TO = 5_000;
/** Refused by us before the origin hears of it; it answered. */
const OURS = "rust/err-tools-empty";
const DONE = "data: [DONE]\n\n";

interface Recording {
  /** `python/chat-text` */
  readonly name: string;
  readonly request: { readonly headers?: Readonly<Record<string, string>>; readonly body: Json };
  readonly bytes: Uint8Array;
  readonly chunks: readonly number[];
}

/** The recorded streams in which the origin reported an error before it said anything, and what a client gets. */
const AT_ONCE: Readonly<Record<string, readonly [status: number, code: string]>> = {
  "python/chat-echo-continue": [400, "invalid_request"],
  "python/err-json-schema-bad": [400, "invalid_request"],
  "python/err-logit-bias-range": [400, "invalid_request"],
  "python/err-logprobs-negative": [400, "invalid_request"],
  "python/err-logprobs-over": [400, "invalid_request"],
  "python-die/die-chat-first": [500, "origin_error"],
  "rust/err-json-schema-bad": [500, "origin_error"],
  "rust/err-structural": [500, "origin_error"],
  "rust/err-tools-empty": [400, "invalid_request"],
  "rust-die/die-chat-first": [500, "origin_error"],
};
/** Those in which it said something before. */
const IN_BAND = [
  "python/chat-tool-two-not-parallel",
  "python-die/die-chat",
  "python-die/die-tool",
  "rust/chat-tool-named",
  "rust/chat-tool-required",
  "rust/chat-tool-required-two",
  "rust-die/die-chat",
  "rust-die/die-tool",
];
const ERROR =
  'data: {"error":{"message":"The origin failed while it worked on this request.","type":"server_error","param":null,"code":"origin_error"}}\n\n';

const recordings = globSync("*/*.json", { cwd: FOLDER }).toSorted().flatMap(readRecording);

function readRecording(file: string): Recording[] {
  const { request, response, chunks } = JSON.parse(readFileSync(`${FOLDER}/${file}`, "utf8"));
  const isStream = JSON.stringify(response.headers).includes("text/event-stream");
  if (request.path !== "/v1/chat/completions" || response.status !== 200 || !isStream) return [];
  const name = file.slice(0, -".json".length);
  return [{ name, request, bytes: readFileSync(`${FOLDER}/${name}.body`), chunks }];
}

/** Every piece is a socket write of its own; the kernel may still join those that wait. */
function cutsOf({ bytes, chunks }: Recording): [how: string, cut: Cut][] {
  const sevens = Array.from({ length: Math.ceil(bytes.length / 7) }, () => 7);
  return [
    ["in its recorded pieces", recordedSizes(bytes, chunks)],
    bytes.length <= BYTE_BY_BYTE_UP_TO
      ? ["byte by byte", byteByByte(bytes)]
      : ["in pieces of seven bytes", recordedSizes(bytes, sevens)],
    [`at random cuts of seed ${SEED}`, randomCut(bytes, SEED)],
  ];
}

let origin: Origin;
let worker: Worker;
/** The pieces to send, by the mark that the request carries. */
const scripts = new Map<string, readonly Uint8Array[]>();

beforeAll(async () => {
  origin = await startOrigin(async (request) => {
    const { replay } = JSON.parse(request.body);
    for (const piece of scripts.get(replay) ?? []) await request.write(piece);
    request.end();
  });
  worker = await startWorker({ ORIGINS: [{ url: origin.url }], HOLD_MS: 60_000 });
});

afterAll(async () => {
  await worker.close();
  await origin.close();
});

describe("the recordings", () => {
  it("are all there, and so are the errors among them", () => {
    expect(recordings).toHaveLength(146);
    const failing = recordings.filter(({ bytes }) => Buffer.from(bytes).includes('data: {"error":'));
    expect(failing.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(AT_ONCE), ...IN_BAND].filter((name) => name !== OURS).toSorted(),
    );
  });
});

describe.concurrent("a recorded stream", () => {
  for (const recording of recordings) {
    const { name, request } = recording;
    const [status, code] = AT_ONCE[name] ?? [200];
    const failure = IN_BAND.includes(name) ? ERROR + DONE : DONE;
    for (const [how, { pieces }] of cutsOf(recording)) {
      const what = status === 200 ? "arrives" : `becomes a ${status}`;
      it(`${what}: ${name}, ${how}`, async () => {
        const replay = `${name} ${how}`;
        scripts.set(replay, pieces);
        using client = await send(worker.port, { headers: request.headers ?? {}, body: { ...request.body, replay } });
        const head = await client.head();
        const body = await client.text();
        expect(head.status).toBe(status);
        if (status === 200) {
          expectOwed(request.body, Buffer.from(recording.bytes).toString(), body);
          expect(body.endsWith(failure)).toBe(true);
          expect(body.includes('data: {"error"')).toBe(failure !== DONE);
        } else expect(JSON.parse(body)).toMatchObject({ error: { code } });
      });
    }
  }
});
