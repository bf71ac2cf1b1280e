/** Where requests go, and what they say. */
export interface Target {
  readonly host: string;
  readonly port: number;
  /** What stands before every path, "" for nothing. */
  readonly prefix: string;
}

export interface Post {
  readonly path: string;
  readonly body: object;
}

/** The request as the bytes of one write. */
export function toBytes({ host, port, prefix }: Target, { path, body }: Post): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  const head =
    `POST ${prefix}${path} HTTP/1.1\r\nhost: ${host}:${port}\r\ncontent-type: application/json\r\n` +
    `accept: text/event-stream, application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), text]);
}

/** Throws where the bench could not speak to it. */
export function toTarget(url: string): Target {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  if (protocol !== "http:") throw new Error(`${url}: only http:// can be measured`);
  if (search !== "") throw new Error(`${url}: a query has no place in the base of a gateway`);
  return { host: hostname, port: Number(port || 80), prefix: pathname.replace(/\/+$/, "") };
}
