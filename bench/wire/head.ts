/** The head of a request or an answer, up to its empty line. */
export interface Head {
  /** The first line: `POST /v1/models HTTP/1.1`, `HTTP/1.1 200 OK`. */
  readonly line: string;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** The head at the start of `bytes` and where the body begins; undefined while it is not whole. */
export function readHead(bytes: Buffer): { head: Head; bodyAt: number } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [line = "", ...fields] = bytes.toString("latin1", 0, end).split("\r\n");
  const headers = new Map(
    fields.map((field) => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  return { head: { line, headers }, bodyAt: end + 4 };
}
