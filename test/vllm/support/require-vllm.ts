import type { TestProject } from "vitest/node";
import { asList, asObject, asText, type Json } from "../../support/chat-records.ts";

export type Dialect = "python" | "rust";

declare module "vitest" {
  interface ProvidedContext {
    readonly vllm: {
      /** Without a trailing slash. */
      readonly url: string;
      readonly model: string;
      /** Tokens that the model's prompt and answer may have together. */
      readonly contextLength: number;
      readonly dialect: Dialect;
    };
  }
}

const NOT_SET =
  "VLLM_URL is not set. These tests run in front of a real vLLM: start one as test/vllm/README.md says, " +
  "then VLLM_URL=http://127.0.0.1:8000 npm run test:vllm.";

const OWNERS: Readonly<Record<string, Dialect>> = { vllm: "python", "vllm-frontend-rs": "rust" };

/** Finds the vLLM of `VLLM_URL` before any test runs. Throws, in words that say what to do, where there is none that will do. */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env["VLLM_URL"];
  if (!given) throw new Error(NOT_SET);
  const url = given.replace(/\/+$/, "");
  const model = process.env["VLLM_MODEL"] ?? "tiny";
  const { data } = await ask(`${url}/v1/models`);
  const card = asList(data).find(({ id }) => id === model);
  if (!card)
    throw new Error(`The vLLM at ${url} serves no model "${model}". Set VLLM_MODEL to the name of one that it serves.`);
  const dialect = OWNERS[asText(card["owned_by"])];
  if (!dialect)
    throw new Error(`What answers at ${url} is not vLLM: its models are owned by ${String(card["owned_by"])}.`);
  await requireScripts(url, model);
  project.provide("vllm", { url, model, contextLength: Number(card["max_model_len"]), dialect });
}

/** The tests dictate what the model says: with any other model they could not know what to expect. */
async function requireScripts(url: string, model: string): Promise<void> {
  const { choices } = await ask(`${url}/v1/chat/completions`, {
    model,
    messages: [{ role: "user", content: "Say it." }],
    max_tokens: 16,
    vllm_xargs: { script: "<think>a</think>b" },
  });
  const { content, reasoning } = asObject(asList(choices)[0]?.["message"]);
  if (content === "b" && reasoning === "a") return;
  throw new Error(`The vLLM at ${url} does not say what a request dictates. Start it as test/vllm/README.md says.`);
}

async function ask(url: string, body?: Json): Promise<Json> {
  const key = process.env["VLLM_API_KEY"];
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
  let response: Response;
  try {
    response = await fetch(url, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  } catch (cause) {
    throw new Error(`No vLLM answers at ${url}.`, { cause });
  }
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new Error(
    `The vLLM at ${url} answers ${response.status}: ${text}${response.status === 401 ? " Set VLLM_API_KEY." : ""}`,
  );
}
