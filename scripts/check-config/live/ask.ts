/** Asks an origin what it is, as the Worker would reach it. It costs a few tokens where a model is served. */
import { watchStream } from "./stream.ts";
import type { Seen, Switch } from "./seen.ts";

const ANSWER_WITHIN_MS = 30_000;

const MESSAGES = [{ role: "user", content: "Say hello." }];
const TOOL = { type: "function", function: { name: "noop", parameters: { type: "object", properties: {} } } };

export interface Asking {
  /** Without a trailing slash. */
  readonly url: string;
  /** What proves to it that it is us. */
  readonly headers: Readonly<Record<string, string>>;
  /** The model to ask; without one, the first that it lists. */
  readonly model: string | undefined;
}

interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns what was seen. Throws when the origin cannot be reached. */
export async function ask({ url, headers, model }: Asking): Promise<Seen> {
  const get = (path: string, sent: Readonly<Record<string, string>>): Promise<Told> => tell(url + path, sent);
  const post = (path: string, body: object): Promise<Told> => tell(url + path, headers, body);
  const health = await get("/health", headers);
  const [version, listed, open] = [
    await get("/version", headers),
    await get("/v1/models", headers),
    await get("/v1/models", {}),
  ];
  const models = modelsIn(listed.text);
  const asked = model ?? models[0];
  const chat = { model: asked, messages: MESSAGES, max_tokens: 1 };
  const usable = asked !== undefined && listed.status === 200;
  return {
    version: textIn(version.text, "version"),
    dialect: dialectOf(version, listed),
    health: health.status,
    withKey: listed.status,
    withoutKey: open.status,
    models,
    asked,
    toolParser: usable ? readTools(await post("/v1/chat/completions", { ...chat, tools: [TOOL] })) : "unknown",
    scaleOut: usable ? readScaleOut(await post("/inference/v1/generate", { model: asked })) : "unknown",
    stream: usable ? await watchStream(`${url}/v1/chat/completions`, headers, { ...chat, max_tokens: 16 }) : undefined,
    between: betweenOf(listed.headers),
  };
}

async function tell(url: string, headers: Readonly<Record<string, string>>, body?: object): Promise<Told> {
  const response = await fetch(url, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Without a parser the Python server refuses tools as the client's mistake, the Rust one as its own. */
function readTools({ status, text }: Told): Switch {
  if (status === 200) return "on";
  return /tool-call-parser|tool parsing is disabled/.test(text) ? "off" : "unknown";
}

/** The request names no tokens: a server with the route refuses that, one without it, or that has it off, the route. */
function readScaleOut({ status, text }: Told): Seen["scaleOut"] {
  if (status === 403 && text.includes("--enable-scale-out")) return "off";
  if (status === 400 || status === 422) return "on";
  return status === 404 ? "absent" : "unknown";
}

function dialectOf(version: Told, listed: Told): Seen["dialect"] {
  if (textIn(version.text, "rust_frontend_version") !== undefined) return "rust";
  if (listed.text.includes('"owned_by":"vllm-frontend-rs"')) return "rust";
  return listed.text.includes('"owned_by":"vllm"') ? "python" : undefined;
}

function betweenOf(headers: Headers): Seen["between"] {
  const server = headers.get("server")?.toLowerCase() ?? "";
  if (headers.has("cf-ray") || server === "cloudflare") return "cloudflare";
  if (headers.has("x-amz-cf-id")) return "cloudfront";
  if (headers.has("x-served-by") && headers.has("x-timer")) return "fastly";
  return server.startsWith("nginx") ? "nginx" : undefined;
}

function modelsIn(text: string): string[] {
  const data = member(parse(text), "data");
  const ids = Array.isArray(data) ? data.map((card: unknown) => member(card, "id")) : [];
  return ids.filter((id) => typeof id === "string");
}

function textIn(text: string, name: string): string | undefined {
  const value = member(parse(text), name);
  return typeof value === "string" ? value : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's own page, perhaps.
    return undefined;
  }
}
