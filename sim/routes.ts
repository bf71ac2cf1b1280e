import { DIALECTS } from "./dialects/index.ts";
import type { GeneratingName } from "./engine/operation.ts";
import type { RequestHead } from "./http/request.ts";
import type { Json } from "./json.ts";
import type { DialectName } from "./model.ts";
import { ownRoute } from "./own-routes.ts";
import { post, type Origin } from "./post.ts";
import type { RecordedRequest } from "./record.ts";
import { RELAYS } from "./relays/index.ts";
import { modelList } from "./relays/models.ts";
import { noRoute, reply, unauthorized, wrongMethod } from "./replies.ts";
import type { Steps } from "./steps.ts";

const GENERATING: Readonly<Record<string, GeneratingName>> = {
  "/v1/chat/completions": "chat",
  "/v1/completions": "completions",
  "/inference/v1/generate": "generate",
};

/** Routes without a model: the body of the answer, undefined for an empty one. */
const PLAIN: Readonly<
  Record<
    string,
    { method: "GET" | "POST"; only?: DialectName; body(dialect: DialectName, origin: Origin): Json | undefined }
  >
> = {
  "/v1/models": { method: "GET", body: (dialect, { models }) => modelList(dialect, models) },
  "/health": { method: "GET", body: () => undefined },
  "/ping": { method: "GET", only: "python", body: () => undefined },
  "/load": { method: "GET", body: () => ({ server_load: 0 }) },
  "/version": {
    method: "GET",
    body: (dialect) => ({ version: "0.32.0", ...(dialect === "rust" ? { rust_frontend_version: "0.32.0" } : {}) }),
  },
  "/inference/v1/abort_requests": { method: "POST", only: "python", body: () => undefined },
};

/** The steps of the answer to a request. */
export function route(origin: Origin, head: RequestHead, text: string, record: RecordedRequest | null): Steps {
  const dialect = DIALECTS[origin.dialect];
  // Paths are taken as they come: what a gateway made of `..`, `//` or `%2f` is to be seen in the record.
  const [path = "", query] = head.target.split(/\?(.*)/s);
  if (path.startsWith("/sim/")) {
    return ownRoute(origin, head.method, path, Number(new URLSearchParams(query).get("since") ?? 0));
  }
  const key = origin.apiKey;
  if (key !== undefined && /^\/(v1|v2|inference)/.test(path) && bearerOf(head) !== key) return [unauthorized(dialect)];
  const method = methodOf(path, origin.dialect);
  if (method === undefined) {
    const plain = path.slice(0, -1);
    return [
      noRoute(dialect, head, path.endsWith("/") && methodOf(plain, origin.dialect) !== undefined ? plain : undefined),
    ];
  }
  const asked = head.method === "HEAD" && dialect.name === "rust" ? "GET" : head.method;
  if (asked !== method) return [wrongMethod(dialect, head, method)];
  const plain = own(PLAIN, path);
  if (plain !== undefined) return [reply(dialect, 200, plain.body(dialect.name, origin))];
  const target = own(GENERATING, path) ?? own(RELAYS, path);
  return target === undefined ? [noRoute(dialect, head)] : post(origin, { head, path, text, record }, target);
}

/** The method of a path, undefined where a server of the dialect has no such path. */
function methodOf(path: string, dialect: DialectName): "GET" | "POST" | undefined {
  const plain = own(PLAIN, path);
  if (plain !== undefined) return plain.only === undefined || plain.only === dialect ? plain.method : undefined;
  return own(GENERATING, path) !== undefined || own(RELAYS, path) !== undefined ? "POST" : undefined;
}

function own<Value>(table: Readonly<Record<string, Value>>, path: string): Value | undefined {
  return Object.hasOwn(table, path) ? table[path] : undefined;
}

/** The token after `Bearer`, which may be spelled in any case. */
function bearerOf(head: RequestHead): string | undefined {
  return /^bearer (.+)$/i.exec(head.headers["authorization"] ?? "")?.[1];
}
