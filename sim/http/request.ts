/** A request's head: header names in lower case, repeated ones joined by a comma. */
export interface RequestHead {
  method: string;
  /** Path and query as they came. */
  target: string;
  version: string;
  headers: Record<string, string>;
}

export type ParsedRequest = { kind: "head"; head: RequestHead } | { kind: "body"; body: string } | { kind: "bad" };

type State =
  | { at: "head" }
  | { at: "length"; left: number; got: Buffer[] }
  | { at: "chunk-size"; got: Buffer[] }
  | { at: "chunk"; left: number; got: Buffer[] }
  | { at: "trailers"; got: Buffer[] };

const MAX_HEAD = 4 * 1024 * 1024;

/** Reads HTTP/1.1 requests from the bytes of one connection: a head, then its body, and so on. */
export function createRequestParser(): { push(bytes: Buffer): ParsedRequest[] } {
  let buffer: Buffer = Buffer.alloc(0);
  let state: State = { at: "head" };

  const takeLine = (): string | undefined => {
    const end = buffer.indexOf("\r\n");
    if (end < 0) return undefined;
    const line = buffer.toString("latin1", 0, end);
    buffer = buffer.subarray(end + 2);
    return line;
  };

  const take = (left: number, got: Buffer[]): number => {
    const part = buffer.subarray(0, left);
    got.push(Buffer.from(part));
    buffer = buffer.subarray(part.length);
    return left - part.length;
  };

  const bodyOf = (got: Buffer[]): ParsedRequest => {
    state = { at: "head" };
    return { kind: "body", body: Buffer.concat(got).toString("utf8") };
  };

  /** One more part of a request, or undefined when more bytes are needed. */
  const next = (): ParsedRequest | undefined => {
    for (;;) {
      switch (state.at) {
        case "head": {
          const end = buffer.indexOf("\r\n\r\n");
          if (end < 0) return buffer.length > MAX_HEAD ? { kind: "bad" } : undefined;
          const head = parseHead(buffer.toString("latin1", 0, end));
          buffer = buffer.subarray(end + 4);
          if (head === undefined) return { kind: "bad" };
          const length = Number(head.headers["content-length"] ?? 0);
          if (!Number.isSafeInteger(length) || length < 0) return { kind: "bad" };
          const chunked = /\bchunked\b/i.test(head.headers["transfer-encoding"] ?? "");
          state = chunked ? { at: "chunk-size", got: [] } : { at: "length", left: length, got: [] };
          return { kind: "head", head };
        }
        case "length": {
          state.left = take(state.left, state.got);
          return state.left > 0 ? undefined : bodyOf(state.got);
        }
        case "chunk-size": {
          const line = takeLine();
          if (line === undefined) return undefined;
          const size = Number.parseInt(line, 16);
          if (Number.isNaN(size)) return { kind: "bad" };
          state = size === 0 ? { at: "trailers", got: state.got } : { at: "chunk", left: size + 2, got: state.got };
          break;
        }
        case "chunk": {
          if (buffer.length < state.left) return undefined;
          take(state.left - 2, state.got);
          buffer = buffer.subarray(2);
          state = { at: "chunk-size", got: state.got };
          break;
        }
        case "trailers": {
          const line = takeLine();
          if (line === undefined) return undefined;
          if (line === "") return bodyOf(state.got);
          break;
        }
      }
    }
  };

  return {
    push(bytes) {
      buffer = buffer.length === 0 ? bytes : Buffer.concat([buffer, bytes]);
      const parts: ParsedRequest[] = [];
      for (let part = next(); part !== undefined; part = next()) {
        parts.push(part);
        if (part.kind === "bad") break;
      }
      return parts;
    },
  };
}

function parseHead(text: string): RequestHead | undefined {
  const [first, ...lines] = text.split("\r\n");
  const match = /^([A-Z]+) (\S+) HTTP\/(1\.[01])$/.exec(first ?? "");
  if (match === null) return undefined;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) return undefined;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return { method: match[1] ?? "", target: match[2] ?? "", version: match[3] ?? "", headers };
}
