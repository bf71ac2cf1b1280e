/**
 * What a real vLLM streamed in completions and generate arrives byte for byte, however the network cut it, up to an error
 * event. A text that came together with its finish arrives in a frame before it, and nothing of either is lost.
 */
import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send } from "../support/client.ts";
import { byteByByte, randomCut, recordedSizes, type Cut } from "../support/cuts.ts";
import { startOrigin, type Origin } from "../support/origin.ts";
import { startWorker, type Worker } from "../support/worker.ts";
import { contentOf } from "./support/content.ts";

const FOLDER = "test/conformance/transcripts";
const SEED = Number(process.env["SEED"] ?? 1);
const PATHS = ["/v1/completions", "/inference/v1/generate"];
const DONE = "data: [DONE]\n\n";

interface Recording {
  /** `python/comp-text` */
  readonly name: string;
  readonly request: { readonly path: string; readonly body: object };
  readonly bytes: Uint8Array;
  readonly chunks: readonly number[];
}

/** The recorded streams in which the origin reported an error before it said anything, and what a client gets. */
const AT_ONCE: Readonly<Record<string, readonly [status: number, code: string, param: string | null]>> = {
  "python/comp-err-logprobs": [400, "invalid_request", "logprobs"],
  "python/comp-err-out-of-vocab": [400, "invalid_request", null],
  "python/gen-err-context": [400, "context_length_exceeded", "token_ids"],
  "python/gen-err-vocab": [400, "invalid_request", null],
};
/** Python streams what it was asked for with `prompt_logprobs`; to a client both dialects are the same, and refuse it. */
const REFUSED = ["python/gen-err-prompt-logprobs-stream"];
/** Those in which it said something before. */
const IN_BAND = ["python-die/die-comp", "rust-die/die-comp"];
/** Those in which the last text came together with the finish. */
const SPLIT = [
  "python-bare/comp-raw",
  "python-bare/slow-keepalive-comp",
  "python/comp-continuous",
  "python/comp-default-length",
  "python/comp-echo-only",
  "python/comp-err-best-of",
  "python/comp-length",
  "python/comp-n2",
  "python/comp-prompts",
  "python/comp-stop",
  "python/comp-text",
  "python/comp-token-prompt",
  "python/comp-token-prompts",
  "python/comp-usage",
];
const ERROR =
  'data: {"error":{"message":"The origin failed while it worked on this request.","type":"server_error","param":null,"code":"origin_error"}}\n\n';

const recordings = globSync("*/*.json", { cwd: FOLDER }).toSorted().flatMap(readRecording);

function readRecording(file: string): Recording[] {
  const { request, response, chunks } = JSON.parse(readFileSync(`${FOLDER}/${file}`, "utf8"));
  const isStream = JSON.stringify(response?.headers)?.includes("text/event-stream");
  const name = file.slice(0, -".json".length);
  if (!PATHS.includes(request.path) || response?.status !== 200 || !isStream || REFUSED.includes(name)) return [];
  return [{ name, request, bytes: readFileSync(`${FOLDER}/${name}.body`), chunks }];
}

function cutsOf({ bytes, chunks }: Recording): [how: string, cut: Cut][] {
  return [
    ["in its recorded pieces", recordedSizes(bytes, chunks)],
    ["byte by byte", byteByByte(bytes)],
    [`at random cuts of seed ${SEED}`, randomCut(bytes, SEED)],
  ];
}

/** The data frames up to an error event, as text. */
function framesOf({ bytes }: Recording): string {
  const records = Buffer.from(bytes)
    .toString()
    .split(/(?<=\n\n)/);
  const error = records.findIndex((record) => record.startsWith('data: {"error":'));
  const frames = error < 0 ? records : records.slice(0, error);
  return frames.filter((record) => record.startsWith("data: ")).join("");
}

/** A server may be told to send usage whatever its clients ask; ours then do not get it. */
function asksForUsage(body: object): boolean {
  return "stream_options" in body;
}

let origin: Origin;
let worker: Worker;
/** The pieces to send, by the mark that the request carries. */
const scripts = new Map<string, readonly Uint8Array[]>();

beforeAll(async () => {
  origin = await startOrigin(async (request) => {
    if (request.path === "/v1/models") return request.json({ object: "list", data: [{ id: "tiny" }] });
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
    expect(recordings).toHaveLength(68);
    const failing = recordings.filter(({ bytes }) => Buffer.from(bytes).includes('data: {"error":'));
    expect(failing.map(({ name }) => name).toSorted()).toEqual([...Object.keys(AT_ONCE), ...IN_BAND].toSorted());
  });
});

describe.concurrent("a recorded stream", () => {
  for (const recording of recordings) {
    const { name, request } = recording;
    const [status, code, param] = AT_ONCE[name] ?? [200];
    const frames = framesOf(recording);
    const expected = IN_BAND.includes(name) ? frames + ERROR + DONE : frames;
    const split = SPLIT.includes(name);
    const what =
      status !== 200 ? `becomes a ${status}` : split ? "arrives with its finish apart" : "arrives byte for byte";
    for (const [how, { pieces }] of cutsOf(recording)) {
      it(`${what}: ${name}, ${how}`, async () => {
        const replay = `${name} ${how}`;
        scripts.set(replay, pieces);
        using client = await send(worker.port, { path: request.path, body: { ...request.body, replay } });
        const head = await client.head();
        const body = await client.text();
        expect(head.status, body).toBe(status);
        if (status !== 200) expect(JSON.parse(body)).toMatchObject({ error: { code, param } });
        else if (split) expect(contentOf(body)).toEqual(contentOf(expected, asksForUsage(request.body)));
        else expect(body).toBe(expected);
      });
    }
  }
});
