/** A pump between an origin and a client that both do as they are told, in a toy protocol of one line per frame. */
import { GatewayError } from "../../src/core/errors.ts";
import type { Answer, Machine, Phase } from "../../src/core/machine.ts";
import type { Ending } from "../../src/stream/ending.ts";
import type { StreamLimits } from "../../src/stream/parts.ts";
import { Pump } from "../../src/stream/pump.ts";
import { FakeClock, flush } from "./clock.ts";
import { identityStream } from "./identity.ts";

const encoder = new TextEncoder();

const LIMITS: StreamLimits = {
  holdMs: 2_000,
  keepAliveMs: 5_000,
  firstEventTimeoutMs: 60_000,
  idleTimeoutMs: 30_000,
  clientStallTimeoutMs: 100_000,
  totalTimeoutMs: 0,
};

/** Lines are frames; one that begins with a colon is a comment, `garbage` is not of the protocol. */
class LineParser implements Machine<Uint8Array, string> {
  readonly #decoder = new TextDecoder();
  #rest = "";

  push(chunk: Uint8Array): (string | GatewayError)[] {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.filter((line) => !line.startsWith(":")).map(readLine);
  }

  end(): (string | GatewayError)[] {
    return this.#rest === "" ? [] : [readLine(this.#rest)];
  }
}

function readLine(line: string): string | GatewayError {
  return line === "garbage" ? new GatewayError("origin_protocol", "garbage") : line;
}

/** Passes lines on. `role` says nothing yet, `finish` settles, `done` ends, `quiet` brings nothing, `error` fails. */
export class LineAnswer implements Answer<string> {
  phase: Phase = "opening";
  readonly tokens = undefined;
  /** Every line that was pushed, in order. */
  readonly pushed: string[] = [];
  endings = 0;

  push(line: string): (Uint8Array | GatewayError)[] {
    this.pushed.push(line);
    if (line === "throw") throw new TypeError("a mistake of ours");
    if (line === "error") return [new GatewayError("origin_error", "the engine died")];
    if (line === "finish") this.phase = "settling";
    else if (line === "done") this.phase = "done";
    else if (line !== "role" && this.phase === "opening") this.phase = "open";
    return line === "quiet" ? [] : [encoder.encode(`${line}\n`)];
  }

  end(): (Uint8Array | GatewayError)[] {
    this.endings += 1;
    if (this.phase !== "settling") return [new GatewayError("origin_cut", "the answer is not complete")];
    this.phase = "done";
    return [encoder.encode("done, added\n")];
  }

  fail(error: GatewayError): Uint8Array[] {
    this.phase = "done";
    return [encoder.encode(`failed: ${error.code}\n`)];
  }

  keepAlive(): Uint8Array {
    return encoder.encode("~\n");
  }
}

/** An origin's response body. */
class Origin {
  cancelled = false;
  readonly body: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  constructor() {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.cancelled = true;
      },
    };
    this.body = new ReadableStream(source, { highWaterMark: 0 });
  }

  /** Sends `text` in one piece. */
  async says(text: string): Promise<void> {
    this.#controller.enqueue(encoder.encode(text));
    await flush();
  }

  async ends(): Promise<void> {
    this.#controller.close();
    await flush();
  }

  async resets(): Promise<void> {
    this.#controller.error(new TypeError("connection reset"));
    await flush();
  }

  /** How many pieces nobody has read yet. */
  get unread(): number {
    return 0 - (this.#controller.desiredSize ?? 0);
  }
}

/** The one who reads the response. */
class Client {
  /** Each write as it arrived. */
  readonly writes: string[] = [];
  body: "open" | "ended" | "broken" = "open";
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(readable: ReadableStream<Uint8Array>) {
    this.#reader = readable.getReader();
  }

  get text(): string {
    return this.writes.join("");
  }

  /** Takes the next write, or the end, as soon as it is there. */
  async reads(): Promise<void> {
    void this.#take();
    await flush();
  }

  readsOn(): void {
    void (async () => {
      while (this.body === "open") await this.#take();
    })();
  }

  async cancels(): Promise<void> {
    this.#reader.cancel().catch(() => {});
    await flush();
  }

  async #take(): Promise<void> {
    try {
      const { done, value } = await this.#reader.read();
      if (done) this.body = "ended";
      else this.writes.push(new TextDecoder().decode(value));
    } catch {
      this.body = "broken";
    }
  }
}

interface Scene {
  readonly limits?: Partial<StreamLimits>;
  /** Whether the client takes bytes without being told to; true by default. */
  readonly reading?: boolean;
  /** Whether the origin's head is there from the start; true by default. */
  readonly head?: boolean;
  readonly leftBefore?: boolean;
}

export interface Stream {
  readonly clock: FakeClock;
  readonly origin: Origin;
  readonly client: Client;
  readonly answer: LineAnswer;
  readonly pump: Pump<string>;
  /** What `opened`, `ending` and `settled` came to, `"pending"` until they do. */
  readonly outcome: { opened: Ending | "pending" | undefined; ending: Ending | "pending"; settled: boolean };
  /** How often the origin's request was closed. */
  readonly freed: () => number;
  /** Lets the origin's head come, or what came in its stead. */
  readonly sendHead: () => Promise<void>;
  readonly refuse: (reason: unknown) => Promise<void>;
  /** The runtime reports that the client has left. */
  readonly leave: () => Promise<void>;
}

export async function startPump({
  limits,
  reading = true,
  head = true,
  leftBefore = false,
}: Scene = {}): Promise<Stream> {
  const clock = new FakeClock();
  const origin = new Origin();
  const answer = new LineAnswer();
  const source = Promise.withResolvers<ReadableStream<Uint8Array>>();
  const { readable, writable } = identityStream();
  const client = new Client(readable);
  const left = new AbortController();
  let freed = 0;
  if (leftBefore) left.abort();
  if (head) source.resolve(origin.body);

  const pump = new Pump<string>({
    source: source.promise,
    parser: new LineParser(),
    answer,
    writable,
    left: left.signal,
    // As `fetch` does: an aborted request without a head rejects.
    free: () => {
      freed += 1;
      source.reject(new DOMException("aborted", "AbortError"));
    },
    limits: { ...LIMITS, ...limits },
    clock,
  });
  const outcome: Stream["outcome"] = { opened: "pending", ending: "pending", settled: false };
  void pump.opened.then((opened) => (outcome.opened = opened));
  void pump.ending.then((ending) => (outcome.ending = ending));
  void pump.settled.then(() => (outcome.settled = true));
  if (reading) client.readsOn();
  await flush();

  return {
    clock,
    origin,
    client,
    answer,
    pump,
    outcome,
    freed: () => freed,
    sendHead: () => act(() => source.resolve(origin.body)),
    refuse: (reason) => act(() => source.reject(reason)),
    leave: () => act(() => left.abort()),
  };
}

async function act(deed: () => void): Promise<void> {
  deed();
  await flush();
}
