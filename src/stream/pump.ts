/**
 * The only loop that moves bytes: it reads the origin, pushes frames through the answer and writes to the client. It
 * owns reader, writer and timers; what may be said and when, the answer's phase says. No event costs a timer.
 */
import { asGatewayError, GatewayError } from "../core/errors.ts";
import { Deadlines } from "./deadlines.ts";
import type { Ending, Stage } from "./ending.ts";
import { afterBreak, Inlet } from "./inlet.ts";
import { Outlet } from "./outlet.ts";
import type { PumpParts } from "./parts.ts";

/** How long a stream whose every choice has finished waits for usage and the terminator. */
export const GRACE_MS = 2_000;
/** How long an origin may take to end its body after its terminator, so that its connection can be used again. */
const DRAIN_MS = 1_000;

/** What came of the origin, and when by the clock. */
export interface Seen {
  /** How many frames. */
  events: number;
  headAt?: number;
  firstEventAt?: number;
  /** When it first said something. */
  firstWordAt?: number;
  /** The last frame before only usage and the terminator could follow. */
  lastEventAt?: number;
}

/** What came of one read. */
interface Step {
  readonly pieces: readonly Uint8Array[];
  readonly failure: GatewayError | undefined;
  /** When it came. */
  readonly at: number;
  /** Whether from now on only usage and the terminator may come. */
  readonly settles: boolean;
  /** Where the stream is over, what becomes of the rest of the body. */
  readonly rest: "read" | "drain" | undefined;
}

type Deadline = "hold" | "keepAlive" | "silence" | "stall" | "total" | "grace" | "drain";

export class Pump<Frame> {
  /** Resolves when the response head may go out, with nothing; or with the ending that came before it could. */
  readonly opened: Promise<Ending | undefined>;
  readonly ending: Promise<Ending>;
  /** Resolves when nothing of the stream is under way any more; never rejects. */
  readonly settled: Promise<void>;
  readonly seen: Seen = { events: 0 };

  readonly #parts: PumpParts<Frame>;
  readonly #inlet: Inlet;
  readonly #outlet: Outlet;
  readonly #deadlines: Deadlines<Deadline>;
  readonly #open = Promise.withResolvers<Ending | undefined>();
  readonly #end = Promise.withResolvers<Ending>();
  readonly #closed = Promise.withResolvers<void>();
  #state: "running" | "closing" | "over" = "running";

  constructor(parts: PumpParts<Frame>) {
    this.#parts = parts;
    this.#inlet = new Inlet(parts.free);
    this.#outlet = new Outlet(parts.writable);
    this.#deadlines = new Deadlines(parts.clock, (name) => this.#due(name));
    this.opened = this.#open.promise;
    this.ending = this.#end.promise;
    parts.left.addEventListener("abort", () => this.#leave());
    const { limits } = parts;
    this.#deadlines.set("hold", limits.holdMs);
    this.#deadlines.set("silence", limits.firstEventTimeoutMs);
    this.#deadlines.set("total", limits.totalTimeoutMs);
    if (parts.left.aborted) this.#leave();
    else if (limits.holdMs === 0) this.#letHeadOut();
    this.settled = this.#run();
  }

  async #run(): Promise<void> {
    try {
      const body = await this.#parts.source;
      this.seen.headAt = this.#parts.clock.now();
      this.#inlet.open(body);
      if (!this.#running) this.#inlet.release();
      await this.#move();
    } catch (thrown) {
      await this.#fail(asGatewayError(thrown));
    }
    await this.#closed.promise;
    this.#deadlines.stop();
  }

  /** Each promise that is awaited costs each event: one for what the origin sends, one for what the client takes. */
  async #move(): Promise<void> {
    let came = 0;
    while (this.#running) {
      let read: ReadableStreamReadResult<Uint8Array>;
      try {
        read = await this.#inlet.read(came);
      } catch (cause) {
        read = afterBreak(cause, this.#parts.answer.phase);
      }
      if (!this.#running) return;
      const step = this.#take(read);
      came = read.value?.length ?? 0;
      if (step.rest !== undefined) return this.#finish(step.pieces, step.rest);
      if (step.pieces.length > 0) await this.#deliver(step.pieces, step.at);
      if (!this.#running) return;
      if (step.failure) return this.#fail(step.failure);
      this.#goOn(step);
    }
  }

  /** A getter, so that the compiler does not take an earlier look at the state for a later one. */
  get #running(): boolean {
    return this.#state === "running";
  }

  get #stage(): Stage {
    if (this.#state === "closing") return "ending";
    if (this.seen.headAt === undefined) return "waiting";
    return this.#parts.answer.phase === "opening" ? "prefill" : "streaming";
  }

  /** Takes what one read brought: frames, and at the end of the body the answer's own end. */
  #take({ done: atEnd, value }: ReadableStreamReadResult<Uint8Array>): Step {
    const { answer, parser, clock } = this.#parts;
    const pieces: Uint8Array[] = [];
    const before = answer.phase;
    const at = clock.now();
    let failure = this.#push(atEnd ? parser.end() : parser.push(value), pieces, at);
    if (atEnd && !failure && answer.phase !== "done") failure = collect(answer.end(), pieces);

    if (answer.phase !== "opening") this.#letHeadOut();
    const ends = !failure && (atEnd || answer.phase === "done");
    // While the client takes its bytes the origin is not read, so its time does not run.
    if (!ends && pieces.length > 0) {
      this.#deadlines.pause("silence", at);
      this.#deadlines.pause("grace", at);
    }
    const settles = answer.phase === "settling" && before !== "settling";
    return { pieces, failure, at, settles, rest: ends ? (atEnd ? "read" : "drain") : undefined };
  }

  /** Lets the origin's time run again. */
  #goOn({ pieces, settles }: Step): void {
    const { answer, limits } = this.#parts;
    this.#deadlines.resume("grace");
    if (settles) this.#deadlines.set("grace", GRACE_MS);
    // From then on nothing is owed but usage and the terminator, and the grace alone says how long these may take.
    if (answer.phase === "settling") this.#deadlines.clear("silence");
    // A frame that says nothing is no progress: an origin must not be able to keep a stream alive with those.
    else if (pieces.length > 0 && answer.phase !== "opening") this.#deadlines.set("silence", limits.idleTimeoutMs);
    else this.#deadlines.resume("silence");
  }

  /** Pushes frames until one fails or ends the answer; what a machine throws is a failure like any other. */
  #push(frames: readonly (Frame | GatewayError)[], pieces: Uint8Array[], now: number): GatewayError | undefined {
    const { answer } = this.#parts;
    let { phase } = answer;
    for (const frame of frames) {
      if (frame instanceof GatewayError) return frame;
      this.seen.events += 1;
      this.seen.firstEventAt ??= now;
      if (phase !== "settling") this.seen.lastEventAt = now;
      try {
        const failure = collect(answer.push(frame), pieces);
        phase = answer.phase;
        if (phase !== "opening") this.seen.firstWordAt ??= now;
        if (failure || phase === "done") return failure;
      } catch (thrown) {
        return asGatewayError(thrown);
      }
    }
    return undefined;
  }

  /** Lets the head go out, and with it what waited; `extra` follows at once. */
  #letHeadOut(extra: readonly Uint8Array[] = []): void {
    if (!this.#outlet.held) return;
    this.#deadlines.clear("hold");
    const waiting = this.#outlet.open();
    this.#open.resolve(undefined);
    this.#deadlines.set("keepAlive", this.#parts.limits.keepAliveMs);
    void this.#deliver([...waiting, ...extra]);
  }

  /** Writes to the client and waits until it has taken the bytes; a client that has left ends the pump. */
  async #deliver(pieces: readonly Uint8Array[], now?: number): Promise<void> {
    if (pieces.length === 0) return;
    const { clientStallTimeoutMs, keepAliveMs } = this.#parts.limits;
    const waited = this.#outlet.busy;
    const sent = this.#outlet.send(pieces, () => this.#deadlines.set("stall", clientStallTimeoutMs));
    if (!this.#outlet.busy) return sent;
    // What joins bytes that wait already gives the client no more time; the end of the stream does.
    if (!waited || !this.#running) this.#deadlines.set("stall", clientStallTimeoutMs, now);
    try {
      await sent;
    } catch {
      this.#leave();
      return;
    }
    if (this.#state === "over") return;
    this.#deadlines.set("stall", this.#outlet.busy ? clientStallTimeoutMs : 0);
    if (this.#running) this.#deadlines.set("keepAlive", keepAliveMs);
  }

  #due(name: Deadline): void {
    const { answer, limits } = this.#parts;
    switch (name) {
      case "hold":
        this.#letHeadOut([answer.keepAlive()]);
        return;
      case "keepAlive":
        // At most one keep-alive waits for a slow client, and none queues behind an event.
        if (this.#outlet.busy) this.#deadlines.set("keepAlive", limits.keepAliveMs);
        else void this.#deliver([answer.keepAlive()]);
        return;
      case "silence":
        void this.#fail(new GatewayError("origin_timeout", "The origin fell silent, so the request was given up."));
        return;
      case "total":
        void this.#fail(new GatewayError("origin_timeout", "The answer took longer than this gateway allows."));
        return;
      case "grace":
        this.#settle().catch((thrown: unknown) => this.#fail(asGatewayError(thrown)));
        return;
      case "stall":
        this.#leave();
        return;
      case "drain":
        this.#inlet.release();
        return;
    }
  }

  /** The grace is over: whatever the answer lacks, it must do without. */
  async #settle(): Promise<void> {
    const pieces: Uint8Array[] = [];
    const failure = collect(this.#parts.answer.end(), pieces);
    if (!failure) return this.#finish(pieces, "free");
    await this.#deliver(pieces);
    await this.#fail(failure);
  }

  /** Ends the client's stream as complete; `rest` says what becomes of what the origin may still send. */
  async #finish(pieces: readonly Uint8Array[], rest: "read" | "drain" | "free"): Promise<void> {
    if (!this.#running) return;
    this.#state = "closing";
    this.#deadlines.stop();
    this.#letHeadOut();
    if (rest === "free") this.#inlet.release();
    const drained = rest === "drain" ? this.#drain() : undefined;
    await this.#last(pieces);
    this.#over({ kind: "finished" });
    await drained;
  }

  async #fail(error: GatewayError): Promise<void> {
    if (!this.#running) return;
    this.#state = "closing";
    this.#deadlines.stop();
    this.#inlet.release();
    this.#end.resolve({ kind: "failed", error });
    const last = this.#outlet.held ? undefined : this.#parts.answer.fail(error);
    if (last) await this.#last(last);
    this.#over({ kind: "failed", error });
  }

  /** Sends the last bytes and the end of the body, for as long as the client takes them. */
  async #last(pieces: readonly Uint8Array[]): Promise<void> {
    await this.#deliver(pieces);
    if (this.#state === "over") return;
    this.#deadlines.set("stall", this.#parts.limits.clientStallTimeoutMs);
    await this.#outlet.close().catch(() => this.#leave());
    this.#deadlines.clear("stall");
  }

  /** The client has left, or takes no bytes any more. */
  #leave(): void {
    if (this.#state === "over") return;
    const stage = this.#stage;
    this.#deadlines.stop();
    this.#inlet.release();
    this.#over({ kind: "client_left", stage });
  }

  #over(ending: Ending): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#outlet.abort();
    this.#open.resolve(ending);
    this.#end.resolve(ending);
    this.#closed.resolve();
  }

  /** Normally the end comes at once, and the connection can be used again. */
  async #drain(): Promise<void> {
    this.#deadlines.set("drain", DRAIN_MS);
    await this.#inlet.drain();
    this.#deadlines.clear("drain");
  }
}

/** Moves the bytes among `outputs` to `pieces`; returns the failure that ends them, if one does. */
function collect(outputs: readonly (Uint8Array | GatewayError)[], pieces: Uint8Array[]): GatewayError | undefined {
  for (const output of outputs) {
    if (output instanceof GatewayError) return output;
    pieces.push(output);
  }
  return undefined;
}
