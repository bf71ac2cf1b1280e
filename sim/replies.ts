import type { Dialect, Failure } from "./dialects/dialect.ts";
import type { RequestHead } from "./http/request.ts";
import type { Json } from "./json.ts";
import type { Header, Step } from "./steps.ts";

/** A whole answer with its own length; without a body or headers of its own, as the dialect does it. */
export function reply(dialect: Dialect, status: number, body: Json | undefined, headers?: readonly Header[]): Step {
  return {
    do: "reply",
    status,
    headers: headers ?? (body === undefined ? dialect.emptyHeaders : dialect.jsonHeaders),
    body,
  };
}

/** A refusal before the head, in the dialect's error shape. */
export function refuse(dialect: Dialect, failure: Failure): Step {
  return reply(dialect, failure.status, dialect.error(failure));
}

/** A wrong key. It is checked outside the part of the Python server that adds `vary`. */
export function unauthorized(dialect: Dialect): Step {
  const headers = dialect.jsonHeaders.filter(([name]) => name !== "vary");
  return reply(dialect, 401, { error: "Unauthorized" }, headers);
}

/** A path that the server does not have; Python sends a path with one slash too many to the one that it has. */
export function noRoute(dialect: Dialect, head: RequestHead, redirect?: string): Step {
  if (dialect.name === "rust") return reply(dialect, 404, undefined);
  if (redirect === undefined) return reply(dialect, 404, { detail: "Not Found" });
  const location: Header = ["location", `http://${head.headers["host"] ?? "origin.test"}${redirect}`];
  const [server = ["server", "uvicorn"], length = ["content-length", "0"], ...rest] = dialect.emptyHeaders;
  return reply(dialect, 307, undefined, [server, length, location, ...rest]);
}

/** A method that the path does not have. */
export function wrongMethod(dialect: Dialect, head: RequestHead, method: string): Step {
  const allow: Header = ["allow", method];
  const preflight = head.method === "OPTIONS" && head.headers["access-control-request-method"] !== undefined;
  if (preflight) return preflightReply(dialect, allow);
  if (dialect.name === "rust") return reply(dialect, 405, undefined, [allow, ["content-length", "0"]]);
  const [server, ...rest] = dialect.jsonHeaders;
  return reply(dialect, 405, { detail: "Method Not Allowed" }, [server ?? ["server", "uvicorn"], allow, ...rest]);
}

/** Python refuses a preflight unless its CORS options allow the origin; Rust allows it. */
function preflightReply(dialect: Dialect, allow: Header): Step {
  const cors: Header[] = [
    ["access-control-allow-methods", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"],
    ["access-control-max-age", "600"],
  ];
  const varies = ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"];
  if (dialect.name === "rust") {
    return reply(dialect, 200, undefined, [["vary", "origin"], ...cors, allow, ["content-length", "0"]]);
  }
  const vary: Header = ["vary", [...varies, "Access-Control-Request-Private-Network"].join(", ")];
  const type: Header = ["content-type", "text/plain; charset=utf-8"];
  const headers: Header[] = [["server", "uvicorn"], vary, ...cors, ["content-length", "$LENGTH"], type];
  return reply(dialect, 400, "Disallowed CORS origin", headers);
}
