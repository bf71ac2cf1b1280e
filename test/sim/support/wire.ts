import { connect, type Socket } from "node:net";

/** An answer as it came over the wire. */
export interface WireAnswer {
  status: number;
  /** In the order in which they came, without the date. */
  headers: [name: string, value: string][];
  body: Buffer;
  /** The HTTP chunks of the body; empty where it was not chunked. */
  chunks: Buffer[];
  /** `cut`: the body ended early; `reset`: RST; `empty`: not a byte came. */
  ended: "complete" | "cut" | "reset" | "empty";
}

export interface WireRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
}

/** The bytes of a request with `connection: close`. */
function requestBytes({ method = "POST", path, headers = {}, body }: WireRequest): Buffer {
  const text = body === undefined || body === null ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const all: Record<string, string> = { host: "origin.test", accept: "*/*", connection: "close" };
  if (text !== undefined) all["content-type"] = "application/json";
  Object.assign(all, headers);
  if (text !== undefined) all["content-length"] = String(Buffer.byteLength(text));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text ?? ""}`);
}

/** Sends a request on a raw socket and reads until the other side ends it. */
export function call(port: number, request: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let reset = false;
    const socket = connect(port, "127.0.0.1", () => socket.write(requestBytes(request)));
    socket.on("data", (bytes) => parts.push(bytes));
    socket.on("error", () => (reset = true));
    socket.on("close", () => resolve(answerOf(Buffer.concat(parts), reset, request.method === "HEAD")));
  });
}

/** Sends a request and leaves the socket to the caller, who collects what comes. */
export function open(port: number, request: WireRequest): { socket: Socket; text: () => string } {
  const parts: Buffer[] = [];
  const socket = connect(port, "127.0.0.1", () => socket.write(requestBytes(request)));
  socket.on("data", (bytes) => parts.push(bytes));
  socket.on("error", () => {});
  return { socket, text: () => Buffer.concat(parts).toString() };
}

function answerOf(bytes: Buffer, reset: boolean, headOnly: boolean): WireAnswer {
  const end = bytes.indexOf("\r\n\r\n");
  const ended = reset ? "reset" : "empty";
  if (end < 0) return { status: 0, headers: [], body: Buffer.alloc(0), chunks: [], ended };
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const headers = lines
    .map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])
    .filter(([name]) => name !== "date");
  const rest = bytes.subarray(end + 4);
  const chunked = headers.some(([name]) => name === "transfer-encoding");
  const { chunks, complete } = chunked ? chunksOf(rest) : { chunks: [], complete: false };
  const body = chunked ? Buffer.concat(chunks) : rest;
  const length = headers.find(([name]) => name === "content-length")?.[1];
  const whole = chunked ? complete : headOnly || length === undefined || body.length === Number(length);
  return {
    status: Number(first.split(" ")[1]),
    headers,
    body,
    chunks,
    ended: reset ? "reset" : whole ? "complete" : "cut",
  };
}

function chunksOf(bytes: Buffer): { chunks: Buffer[]; complete: boolean } {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = bytes.indexOf("\r\n", at);
    if (line < 0) return { chunks, complete: false };
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
    if (size === 0) return { chunks, complete: true };
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
