/** A real vLLM, and the Worker in front of it: the same request can be sent to both. */
import { inject } from "vitest";
import type { Json } from "../../support/chat-records.ts";
import { send, type Client, type Sending } from "../../support/client.ts";
import { eventually, startWorker, type Worker } from "../../support/worker.ts";

/** What the Worker's clients may call the model, beside its own name. */
export const ALIAS = "my/model";

const CHAT = "/v1/chat/completions";

const vllm = inject("vllm");
const KEY = process.env["VLLM_API_KEY"];

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Stage extends AsyncDisposable {
  readonly worker: Worker;
  /** Sends a request to the Worker, a chat one by default, and returns the client that did. */
  send(request: Json, path?: string): Promise<Client>;
  /** Sends a request to the Worker, a chat one by default, and returns the whole answer. */
  ask(request: Json, path?: string): Promise<Answer>;
  /** Asks the Worker for what is at `path`. */
  get(path: string): Promise<Answer>;
}

/** Starts the Worker; `settings` are its own beside those of its origin. */
export async function openStage(settings: Readonly<Record<string, unknown>> = {}): Promise<Stage> {
  const worker = await startWorker({
    ORIGINS: [{ url: vllm.url }],
    MODELS: { [ALIAS]: { model: vllm.model } },
    ...(KEY && { ORIGIN_API_KEY: KEY }),
    ...settings,
  });
  return {
    worker,
    send: (request, path = CHAT) => send(worker.port, { path, body: request }),
    ask: (request, path = CHAT) => answerTo(worker, { path, body: request }),
    get: (path) => answerTo(worker, { method: "GET", path }),
    [Symbol.asyncDispose]: () => worker.close(),
  };
}

async function answerTo(worker: Worker, sending: Sending): Promise<Answer> {
  using client = await send(worker.port, sending);
  const { status, headers } = await client.head();
  return { status, headers, text: await client.text() };
}

/** Sends a request to vLLM itself, a chat one by default, under its own name of the model. */
export async function askVllm(request: Json, path = CHAT): Promise<Answer> {
  const model = request["model"] === ALIAS ? vllm.model : request["model"];
  const response = await fetch(`${vllm.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...keyHeader() },
    body: JSON.stringify({ ...request, model }),
  });
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

/** Returns how many tokens the prompt of a chat has; `kwargs` are the template's. */
export async function countTokens(messages: unknown, kwargs?: Json): Promise<number> {
  const response = await fetch(`${vllm.url}/tokenize`, {
    method: "POST",
    headers: { "content-type": "application/json", ...keyHeader() },
    body: JSON.stringify({ model: vllm.model, messages, ...(kwargs && { chat_template_kwargs: kwargs }) }),
  });
  const { count }: { count: number } = JSON.parse(await response.text());
  return count;
}

/** Returns how many requests to `path` the front end has heard since it was started. */
export async function countHeard(path: string): Promise<number> {
  const lines = (await readMetrics()).split("\n").filter((line) => line.startsWith("http_requests_total{"));
  if (lines.length === 0) throw new Error("vLLM tells no count of its requests.");
  const heard = lines.filter((line) => line.includes(`handler="${path}"`));
  return heard.reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
}

export interface Engine {
  /** Requests that it works on, and those that wait for it. */
  readonly requests: number;
  /** Tokens that it has made since it was started. */
  readonly tokens: number;
}

async function lookAtEngine(): Promise<Engine> {
  const metrics = await readMetrics();
  const sum = (name: string): number => {
    const values = [...metrics.matchAll(new RegExp(`^vllm:${name}(?:\\{.*\\})? (\\S+)$`, "gm"))];
    if (values.length === 0) throw new Error(`vLLM tells no ${name}.`);
    return values.reduce((total, [, value]) => total + Number(value), 0);
  };
  return {
    requests: sum("num_requests_running") + sum("num_requests_waiting"),
    tokens: sum("generation_tokens_total"),
  };
}

async function readMetrics(): Promise<string> {
  const response = await fetch(`${vllm.url}/metrics`, { headers: keyHeader() });
  return response.text();
}

/** At the shortest delay that a test dictates, its words take half a minute: an engine that is free sooner was freed. */
const SOON_MS = 8_000;

/** Waits until the engine has this many requests. */
export function engineWith(requests: number): Promise<Engine> {
  return eventually(async () => {
    const engine = await lookAtEngine();
    return engine.requests === requests ? engine : undefined;
  }, SOON_MS);
}

function keyHeader(): Record<string, string> {
  return KEY ? { authorization: `Bearer ${KEY}` } : {};
}
