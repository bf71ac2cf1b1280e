/** Answers as bytes, made once for each model and wish for usage, so that the origin does little but write. */
import type { Script, UsageAsked } from "../frames/frames.ts";
import { named } from "../frames/scenario.ts";
import type { Orders } from "../frames/orders.ts";
import { asChunk, LAST_CHUNK } from "../wire/chunked.ts";

export interface Buffers {
  readonly opening: readonly Buffer[];
  /** The chunks of the step with this number. */
  readonly middle: (step: number) => readonly Buffer[];
  /** The last frames, the terminator and the end of the body. */
  readonly closing: readonly Buffer[];
}

export const STREAM_HEAD = Buffer.from(
  "HTTP/1.1 200 OK\r\nserver: uvicorn\r\ncontent-type: text/event-stream; charset=utf-8\r\n" +
    "transfer-encoding: chunked\r\n\r\n",
);

/** Steps that differ, more than a stream of an ordinary length has; after them text and counts begin again. */
const STEPS_MADE = 256;
/** A run has some dozens of models; tags would make thousands. */
const MODELS_KEPT = 64;

const made = new Map<string, Buffers>();

export function buffersFor(orders: Orders, model: string, usage: UsageAsked): Buffers {
  const key = `${usage} ${model}`;
  const known = made.get(key);
  if (known) return known;
  const buffers = toBuffers(named(orders.scenario).script({ model, usage }));
  if (made.size >= MODELS_KEPT) made.clear();
  made.set(key, buffers);
  return buffers;
}

function toBuffers({ opening, middle, closing }: Script): Buffers {
  const ring = Array.from({ length: STEPS_MADE }, (_, step) => middle(step).map(asChunk));
  return {
    opening: opening.map(asChunk),
    middle: (step) => ring[step % STEPS_MADE] ?? [],
    closing: [...closing.map(asChunk), asChunk("data: [DONE]\n\n"), LAST_CHUNK],
  };
}

export function wholeBuffer(body: string, status = "200 OK"): Buffer {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 ${status}\r\nserver: uvicorn\r\ncontent-type: application/json\r\n`;
  return Buffer.concat([Buffer.from(`${head}content-length: ${bytes.length}\r\n\r\n`), bytes]);
}
