/** A client's connection, for one request after the other. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { now } from "../clock.ts";
import { Exchange } from "./exchange.ts";
import type { Target } from "./target.ts";

/** What has been silent for so long while it is waited for will say nothing more. */
const SILENT_MS = 30_000;

export class Connection {
  readonly #socket: Socket;
  #exchange: Exchange | undefined;
  #moved: () => void = () => undefined;
  #isAwaited = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => {
      this.#exchange?.push(bytes);
      this.#moved();
    });
    const over = (): void => {
      this.#exchange?.end();
      this.#moved();
    };
    socket.on("end", over).on("error", over).on("close", over);
    socket.setTimeout(SILENT_MS, () => {
      if (this.#isAwaited) this.#exchange?.giveUp(`nothing came for ${SILENT_MS} ms`);
      this.#moved();
    });
  }

  static async open({ host, port }: Target): Promise<Connection> {
    const socket = connect({ host, port });
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** Writes a request; what comes from now on is its answer. */
  send(request: Buffer, timed: boolean): Exchange {
    const exchange = new Exchange(timed);
    this.#exchange = exchange;
    this.#socket.write(request);
    return exchange;
  }

  /** Resolves once this holds of the answer, or nothing more can come of it. */
  async until(holds: (exchange: Exchange) => boolean): Promise<void> {
    const exchange = this.#exchange;
    if (!exchange) throw new Error("nothing was asked");
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#moved = () => {
      if (exchange.endedAt !== undefined || exchange.broken !== undefined || holds(exchange)) resolve();
    };
    this.#isAwaited = true;
    this.#moved();
    await promise;
    this.#isAwaited = false;
    this.#moved = () => undefined;
  }

  get usable(): boolean {
    return !this.#socket.destroyed && this.#exchange?.reusable === true && this.#exchange.broken === undefined;
  }

  /** Takes no more of what comes. */
  stopReading(): void {
    this.#socket.pause();
  }

  /** Leaves, with a reset or with a goodbye. Returns when. */
  leave(how: Farewell): number {
    this.#moved = () => undefined;
    this.#exchange = undefined;
    const at = now();
    if (how === "RST") this.#socket.resetAndDestroy();
    else this.#socket.destroy();
    return at;
  }
}

/** FIN is what closing a socket does that has read all it was sent. */
export type Farewell = "RST" | "FIN";
