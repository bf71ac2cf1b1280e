/** A fold between an origin that does as it is told and nobody else, in a toy protocol of one word per frame. */
import { readConfig } from "../../src/config/config.ts";
import { GatewayError } from "../../src/core/errors.ts";
import type { Phase } from "../../src/core/machine.ts";
import type { WholeOfEvents } from "../../src/events/accumulate.ts";
import type { StreamEvent } from "../../src/events/event.ts";
import { fold } from "../../src/gateway/fold.ts";
import type { EventSource } from "../../src/protocols/protocol.ts";
import type { Frame } from "../../src/sse/frame.ts";
import { SseParser } from "../../src/sse/parse.ts";
import { FakeClock, flush } from "./clock.ts";

const USAGE: StreamEvent = {
  type: "usage",
  usage: { prompt: 1, completion: 2, cached: undefined, written: undefined, reasoning: undefined, estimated: false },
};
const FINISH: StreamEvent = { type: "finish", reason: "stop", stopText: undefined };

/** `role`, `finish`, `usage`, `done`, `error`, `quiet` (says nothing), `throw`; any other word is a text. */
class Words implements EventSource {
  phase: Phase = "opening";
  readonly tokens = undefined;
  pushed = 0;
  #usage = false;

  push({ data }: Frame): StreamEvent[] {
    this.pushed += 1;
    switch (data) {
      case "role":
        return [{ type: "start", usage: undefined }];
      case "finish":
        this.phase = "settling";
        return [FINISH];
      case "usage":
        this.#usage = true;
        return [USAGE];
      case "done":
        this.phase = "done";
        return this.#usage ? [] : [USAGE];
      case "error":
        return [{ type: "error", error: new GatewayError("origin_error", "the engine died") }];
      case "quiet":
        return [];
      case "throw":
        throw new TypeError("a mistake of ours");
      default:
        this.phase = "open";
        return [{ type: "text", text: data }];
    }
  }

  end(): StreamEvent[] {
    if (this.phase === "settling") return this.push({ data: "done", bytes: undefined, unterminated: false });
    return [{ type: "error", error: new GatewayError("origin_cut", "the answer is not complete") }];
  }
}

export interface Folding {
  readonly clock: FakeClock;
  /** The whole text, or the code and words of what the fold threw; `pending` until then. */
  readonly outcome: () => string;
  readonly events: { readonly pushed: number };
  readonly freed: () => number;
  /** How often the head's coming was told. */
  readonly heads: () => number;
  readonly sendHead: () => Promise<void>;
  readonly refuse: (reason: unknown) => Promise<void>;
  /** Sends each word as a frame, all in one piece. */
  readonly says: (...words: string[]) => Promise<void>;
  /** Sends bytes as they are. */
  readonly sends: (text: string) => Promise<void>;
  readonly ends: () => Promise<void>;
  readonly resets: () => Promise<void>;
}

export async function startFold(settings: object = {}, head = true): Promise<Folding> {
  const { limits } = readConfig({ ORIGINS: [{ url: "http://a.test" }], ...settings });
  const clock = new FakeClock();
  const events = new Words();
  const source = Promise.withResolvers<ReadableStream<Uint8Array>>();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  let outcome = "pending";
  let freed = 0;
  let heads = 0;
  const folded = fold({
    source: source.promise,
    parser: new SseParser(1_000),
    events,
    free: () => (freed += 1),
    limits,
    clock,
    onHead: () => (heads += 1),
  });
  void folded.then(textOf, wordsOf).then((words) => (outcome = words));
  const sends = (text: string): Promise<void> => act(() => controller.enqueue(new TextEncoder().encode(text)));
  if (head) source.resolve(body);
  await flush();
  return {
    clock,
    outcome: () => outcome,
    events,
    freed: () => freed,
    heads: () => heads,
    sendHead: () => act(() => source.resolve(body)),
    refuse: (reason) => act(() => source.reject(reason)),
    says: (...words) => sends(words.map((word) => `data: ${word}\n\n`).join("")),
    sends,
    ends: () => act(() => controller.close()),
    resets: () => act(() => controller.error(new TypeError("connection reset"))),
  };
}

function textOf({ parts, finish, usage }: WholeOfEvents): string {
  const texts = parts.map((part) => ("text" in part ? part.text : part.name));
  return `${texts.join("")} (${finish.reason}, ${usage.prompt}+${usage.completion})`;
}

function wordsOf(thrown: unknown): string {
  return thrown instanceof GatewayError ? `${thrown.code}: ${thrown.message}` : String(thrown);
}

async function act(deed: () => void): Promise<void> {
  deed();
  await flush();
}
