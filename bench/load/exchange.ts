/** One request and its answer, seen from the client: what came and when, and whether it was all there. */
import { now } from "../clock.ts";
import { createBodyReader, type BodyReader } from "../wire/body.ts";
import { readHead } from "../wire/head.ts";
import { createRecordCounter } from "../wire/records.ts";

export class Exchange {
  readonly sentAt = now();
  /** When each event of a stream was there. */
  readonly eventsAt: number[] = [];
  /** When the body was whole. */
  endedAt: number | undefined;
  /** Whether the connection can take another request. */
  reusable = true;
  /** What was wrong with the answer. */
  broken: string | undefined;
  bodyBytes = 0;

  readonly #records = createRecordCounter();
  readonly #timed: boolean;
  #events = 0;
  #kept: Buffer | undefined;
  #body: BodyReader | undefined;
  #isStream = false;
  #isChunked = false;
  #refusal = "";

  /** `timed`: whether each event's time is kept; the first one's always is. */
  constructor(timed: boolean) {
    this.#timed = timed;
  }

  get events(): number {
    return this.#events;
  }

  get hasHead(): boolean {
    return this.#body !== undefined;
  }

  push(bytes: Buffer): void {
    try {
      this.#read(bytes);
    } catch (error) {
      this.broken ??= String(error);
    }
  }

  /** The connection has ended. */
  end(): void {
    if (this.endedAt !== undefined) return;
    if (this.#body && !this.#isChunked) this.endedAt = now();
    else this.broken ??= `cut off after ${this.#events} events`;
  }

  giveUp(why: string): void {
    this.broken ??= why;
  }

  /** What is wrong with a stream that should have ended after so many events, or undefined. */
  flawOfStream(events: number | undefined): string | undefined {
    if (this.broken !== undefined) return this.broken;
    if (!this.#isStream) return "not an event stream";
    if (!this.#records.done) return "no terminator at its end";
    if (events !== undefined && events !== this.#events) return `${this.#events} events instead of ${events}`;
    return undefined;
  }

  #read(bytes: Buffer): void {
    if (this.#body) return this.#take(bytes, this.#body);
    const all = this.#kept ? Buffer.concat([this.#kept, bytes]) : bytes;
    const found = readHead(all);
    if (!found) {
      this.#kept = Buffer.from(all);
      return;
    }
    const { head, bodyAt } = found;
    const status = head.line.split(" ")[1] ?? "";
    if (status !== "200") this.#refusal = `HTTP ${status}: `;
    this.#isStream = (head.headers.get("content-type") ?? "").startsWith("text/event-stream");
    this.#isChunked = /\bchunked\b/i.test(head.headers.get("transfer-encoding") ?? "");
    this.reusable = !/\bclose\b/i.test(head.headers.get("connection") ?? "");
    this.#body = createBodyReader(head, true);
    this.#take(all.subarray(bodyAt), this.#body);
  }

  #take(bytes: Buffer, body: BodyReader): void {
    const at = now();
    const whole = body.push(bytes, (part) => {
      this.bodyBytes += part.length;
      if (this.#refusal) this.#refusal += part.toString();
      else if (this.#isStream) this.#count(this.#records.push(part), at);
    });
    if (!whole) return;
    this.endedAt = at;
    if (this.#refusal) this.broken = this.#refusal.slice(0, 300);
  }

  #count(events: number, at: number): void {
    if (this.#timed) for (let event = 0; event < events; event += 1) this.eventsAt.push(at);
    else if (events > 0 && this.#events === 0) this.eventsAt.push(at);
    this.#events += events;
  }
}
