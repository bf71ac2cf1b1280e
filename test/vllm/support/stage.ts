/** A real vLLM, and the Worker in front of it: the same request can be sent to both. */
import { inject } from "vitest";
import type { Json } from "../../support/chat-records.ts";
import { send, type Client } from "../../support/client.ts";
import { startWorker, type Worker } from "../../support/worker.ts";

/** What the Worker's clients may call the model, beside its own name. */
export const ALIAS = "my/model";

const vllm = inject("vllm");
const KEY = process.env["VLLM_API_KEY"];

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Stage extends AsyncDisposable {
  readonly worker: Worker;
  /** Sends a chat request to the Worker and returns the client that did. */
  send(request: Json): Promise<Client>;
  /** Sends a chat request to the Worker and returns the whole answer. */
  ask(request: Json): Promise<Answer>;
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
    send: (request) => send(worker.port, { body: request }),
    async ask(request) {
      using client = await send(worker.port, { body: request });
      const { status, headers } = await client.head();
      return { status, headers, text: await client.text() };
    },
    [Symbol.asyncDispose]: () => worker.close(),
  };
}

/** Sends a chat request to vLLM itself, under its own name of the model. */
export async function askVllm(request: Json): Promise<Answer> {
  const model = request["model"] === ALIAS ? vllm.model : request["model"];
  const response = await fetch(`${vllm.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...keyHeader() },
    body: JSON.stringify({ ...request, model }),
  });
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

/** Returns how many tokens the prompt of a chat has. */
export async function countTokens(messages: unknown): Promise<number> {
  const response = await fetch(`${vllm.url}/tokenize`, {
    method: "POST",
    headers: { "content-type": "application/json", ...keyHeader() },
    body: JSON.stringify({ model: vllm.model, messages }),
  });
  const { count }: { count: number } = JSON.parse(await response.text());
  return count;
}

export interface Engine {
  /** Requests that it works on, and those that wait for it. */
  readonly requests: number;
  /** Tokens that it has made since it was started. */
  readonly tokens: number;
}

export async function lookAtEngine(): Promise<Engine> {
  const response = await fetch(`${vllm.url}/metrics`, { headers: keyHeader() });
  const metrics = await response.text();
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

function keyHeader(): Record<string, string> {
  return KEY ? { authorization: `Bearer ${KEY}` } : {};
}
