/** An origin that does what a test tells it, over real sockets, and keeps a record of what it was asked. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** How a request ended: answered to its end, broken off by the origin itself, or closed by the other side. */
export type Outcome = "finished" | "reset" | "closed";

export type Script = (request: OriginRequest) => void | Promise<void>;

/** One request that reached the origin, and the means to answer it. */
export class OriginRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text, once all of it has come. */
  body = "";
  /** Resolves once nothing more can be said, with the reason. */
  readonly closed: Promise<Outcome>;
  /** How many bytes of the body the kernel has taken. */
  taken = 0;
  /** Whether `closed` has resolved. */
  over = false;
  readonly #response: ServerResponse;
  #outcome: Outcome = "closed";

  constructor(incoming: IncomingMessage, response: ServerResponse) {
    this.method = incoming.method ?? "";
    this.path = incoming.url ?? "";
    this.headers = incoming.headers;
    this.#response = response;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.closed = promise;
    response.on("close", () => {
      this.over = true;
      resolve(response.writableFinished ? "finished" : this.#outcome);
    });
  }

  /** Sends the head at once. Without a `content-length` the body goes out in chunked encoding. */
  head(status = 200, headers: Readonly<Record<string, string>> = { "content-type": "text/event-stream" }): void {
    this.#response.writeHead(status, headers);
    this.#response.flushHeaders();
  }

  /** Sends `bytes` in one socket write; resolves when the kernel has taken them, or nobody can take them any more. */
  async write(bytes: string | Uint8Array): Promise<void> {
    if (!this.#response.headersSent) this.head();
    if (this.over) return;
    const taken = new Promise<void>((resolve) => {
      this.#response.write(bytes, (error) => {
        if (!error) this.taken += bytes.length;
        resolve();
      });
    });
    await Promise.race([taken, this.closed]);
  }

  /** Ends the body as it should end. */
  end(bytes: string | Uint8Array = ""): void {
    this.#response.end(bytes);
  }

  /** Answers with `value` as JSON. */
  json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): void {
    this.head(status, { "content-type": "application/json", ...headers });
    this.end(JSON.stringify(value));
  }

  /** Breaks the connection with an RST. */
  reset(): void {
    this.#outcome = "reset";
    this.#response.socket?.resetAndDestroy();
  }
}

export interface Origin extends AsyncDisposable {
  readonly url: string;
  /** Every request so far, in order of arrival; one whose body is still on its way too. */
  readonly requests: readonly OriginRequest[];
  /** Returns the request whose body holds `mark`, once it is there. */
  request(mark: string): Promise<OriginRequest>;
  close(): Promise<void>;
}

/** Starts an origin that runs `script` for each request; without one, the test itself answers what `request` returns. */
export async function startOrigin(script: Script = () => {}): Promise<Origin> {
  const requests: OriginRequest[] = [];
  const complete = new Set<OriginRequest>();
  const waiting = new Set<(request: OriginRequest) => void>();
  const server = createServer((incoming, response) => {
    const request = new OriginRequest(incoming, response);
    requests.push(request);
    void buffer(incoming).then(
      (bytes) => {
        request.body = bytes.toString("utf8");
        complete.add(request);
        for (const look of waiting) look(request);
        return script(request);
      },
      // The body broke off: the record shows a request that was closed.
      () => {},
    );
  });
  // An idle connection stays open: a pooled one gone stale is another test's business.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The origin has no port.");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async request(mark) {
      const holds = (request: OriginRequest): boolean => request.body.includes(mark);
      const found = [...complete].find(holds);
      if (found) return found;
      return new Promise((resolve) => {
        const look = (request: OriginRequest): void => {
          if (!holds(request)) return;
          waiting.delete(look);
          resolve(request);
        };
        waiting.add(look);
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
