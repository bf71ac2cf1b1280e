/** An HTTP client on a bare socket: it sees every piece as it comes, and can leave in every way a client can. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Head {
  readonly status: number;
  /** By lower-case name; of several with one name, all, joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
}

/** A JSON body; errors are in OpenAI's shape. */
export interface JsonAnswer {
  readonly [key: string]: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
}

export interface Sending {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text goes out as it stands, anything else as JSON. */
  readonly body?: unknown;
}

/** Sends a request and returns the client that did, without waiting for an answer. A POST to chat by default. */
export async function send(port: number, sending: Sending): Promise<Client> {
  const client = await Client.connect(port);
  const { method = "POST", path = "/v1/chat/completions", headers = {}, body } = sending;
  const bytes = toBytes(body);
  const length = bytes && headers["transfer-encoding"] === undefined ? { "content-length": `${bytes.length}` } : {};
  const all = { host: "gateway.test", "content-type": "application/json", ...length, ...headers };
  const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  void client.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes ?? Buffer.alloc(0)]));
  client.bodiless = method === "HEAD";
  return client;
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

/** One connection with one request on it. Nothing is read before it is asked for. */
export class Client implements Disposable {
  /** Whether the answer has no body whatever its head says. */
  bodiless = false;
  readonly #socket: Socket;
  readonly #incoming: AsyncIterator<Buffer>;
  #buffered: Buffer = Buffer.alloc(0);
  #head: Promise<Head> | undefined;
  #ended = false;
  readonly #body: Buffer[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#incoming = socket[Symbol.asyncIterator]();
    // Where a broken connection matters, the read that meets it throws.
    socket.on("error", () => {});
  }

  static async connect(port: number): Promise<Client> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new Client(socket);
  }

  /** Resolves when the kernel has taken the bytes, or the connection has broken. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Leaves with an RST. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Leaves politely: a FIN, and nobody there any more. */
  leave(): void {
    this.#socket.destroy();
  }

  /** Shuts the sending side and goes on reading. */
  halfClose(): void {
    this.#socket.end();
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  async head(): Promise<Head> {
    this.#head ??= this.#readHead();
    return this.#head;
  }

  /** The body's pieces as they come, each as it was sent; a loop that breaks off can be taken up again. Throws when the body is cut. */
  async *pieces(): AsyncGenerator<Buffer> {
    const { headers } = await this.head();
    if (this.bodiless) return;
    if (headers["transfer-encoding"] !== "chunked") {
      if (!this.#ended) yield await this.#take(Number(headers["content-length"] ?? 0));
      this.#ended = true;
    }
    while (!this.#ended) {
      const size = Number.parseInt(await this.#line(), 16);
      const piece = await this.#take(size);
      await this.#line();
      this.#ended = size === 0;
      if (size > 0) yield piece;
    }
  }

  /** Reads on until the body so far holds `text`, and returns the body so far. */
  async until(text: string): Promise<string> {
    while (!this.#text.includes(text)) {
      const { done, value } = await this.pieces().next();
      if (done) throw new Error(`The body ended without ${text}: ${this.#text}`);
      this.#body.push(value);
    }
    return this.#text;
  }

  /** Reads the body to its end and returns all of it. */
  async text(): Promise<string> {
    for await (const piece of this.pieces()) this.#body.push(piece);
    return this.#text;
  }

  /** Reads the body to its end, as the JSON object that it should be. */
  async json(): Promise<JsonAnswer> {
    return JSON.parse(await this.text());
  }

  get #text(): string {
    return Buffer.concat(this.#body).toString();
  }

  async #readHead(): Promise<Head> {
    const [, status] = (await this.#line()).split(" ");
    const headers: Record<string, string> = {};
    for (let line = await this.#line(); line !== ""; line = await this.#line()) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    return { status: Number(status), headers };
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#buffered.indexOf("\r\n");
      if (end >= 0) return (await this.#take(end + 2)).toString("latin1", 0, end);
      await this.#more();
    }
  }

  async #take(size: number): Promise<Buffer> {
    while (this.#buffered.length < size) await this.#more();
    const taken = this.#buffered.subarray(0, size);
    this.#buffered = this.#buffered.subarray(size);
    return taken;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#incoming.next();
    if (done) throw new Error("The connection ended in the middle of an answer.");
    this.#buffered = this.#buffered.length === 0 ? value : Buffer.concat([this.#buffered, value]);
  }
}
