/**
 * Open WebUI, which cannot be installed here: what its server asks, and how it reads what comes, as its source has it
 * (backend/open_webui/routers/openai.py and utils/middleware.py), with the settings of docs/clients.md.
 */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { block, readExports } from "./support/page.ts";
import { openStage, type Stage } from "./support/stage.ts";

const KEY = "sk-a-key-of-open-webui";
const QUESTION = { role: "user", content: "Tell me about rivers." };
const TOOL = {
  type: "function",
  function: {
    name: "get_weather",
    description: "Tells the weather.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};

let stage: Stage;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  const hash = createHash("sha256").update(KEY).digest("hex");
  stage = await openStage({
    ALLOW_ANONYMOUS: "false",
    API_KEYS: { [hash]: { name: "open-webui" } },
    MODELS: { "house-model": { model: "sim/chat" } },
  });
  env = readExports(block("open-webui", stage.url, KEY));
});

afterAll(() => stage[Symbol.asyncDispose]());

it("is told by the page where the gateway is and what its key is", () => {
  expect(env).toEqual({ OPENAI_API_BASE_URL: stage.baseURL, OPENAI_API_KEY: KEY });
});

it("finds the models, aliases included", async () => {
  const response = await fetch(`${env["OPENAI_API_BASE_URL"]}/models`, { headers: headers() });
  const { data }: { data: { id: string }[] } = JSON.parse(await response.text());
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["house-model", "sim/chat"]));
});

describe("a turn", () => {
  it("is a stream by its content-type, not compressed although that is offered", async () => {
    const response = await ask({ messages: [QUESTION] });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("content-encoding")).toBeNull();
    const { content, reasoning, calls, usage, error } = await read(response);
    expect(content).toMatch(/\w+ \w+/);
    expect({ reasoning, calls, error }).toEqual({ reasoning: "", calls: [], error: undefined });
    expect(usage).toMatchObject({ total_tokens: expect.any(Number) });
  });

  it("has its thoughts", async () => {
    const { content, reasoning } = await read(await ask({ messages: [QUESTION], reasoning_effort: "high" }));
    expect(content).toMatch(/\w+ \w+/);
    expect(reasoning).toMatch(/\w+ \w+/);
  });

  it.each(["sim/chat", "sim/chat-rust", "sim/tool-name-again"])("of %s has each call's name once", async (model) => {
    const { calls } = await read(await ask({ model, messages: [QUESTION], tools: [TOOL], tool_choice: "auto" }));
    expect(calls.map(({ name }) => name)).toEqual(["get_weather"]);
    expect(JSON.parse(calls[0]?.arguments ?? "")).toEqual({ city: expect.any(String) });
    expect(calls[0]?.id).not.toBe("");
  });

  it("that breaks is seen to have broken", async () => {
    const { content, error } = await read(await ask({ model: "sim/eof-mid", messages: [QUESTION] }));
    expect(content).not.toBe("");
    expect(error).toMatchObject({ code: "origin_cut", message: expect.any(String) });
  });

  it("that is refused says so in JSON, which it shows", async () => {
    const response = await ask({ messages: [QUESTION], temperature: "hot" });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(JSON.parse(await response.text())).toMatchObject({ error: { param: "temperature" } });
  });
});

it.each(["Generate a concise, 3-5 word title.", "Generate 1-3 broad tags."])(
  "a task is a whole answer: %s",
  async (task) => {
    const messages = [{ role: "user", content: `### Task:\n${task}` }];
    const response = await ask({ messages, stream: false, stream_options: undefined, max_completion_tokens: 1000 });
    expect(response.headers.get("content-type")).toContain("application/json");
    const { choices }: { choices: { message: { content: string } }[] } = JSON.parse(await response.text());
    expect(choices.map(({ message }) => message.content)).toEqual([expect.stringMatching(/\w/)]);
  },
);

/** As aiohttp sends them. */
function headers(): Record<string, string> {
  return {
    accept: "*/*",
    "accept-encoding": "gzip, deflate, br",
    authorization: `Bearer ${env["OPENAI_API_KEY"]}`,
    "user-agent": "Python/3.11 aiohttp/3.12.15",
  };
}

function ask(body: object): Promise<Response> {
  return fetch(`${env["OPENAI_API_BASE_URL"]}/chat/completions`, {
    method: "POST",
    headers: { ...headers(), "content-type": "application/json" },
    body: JSON.stringify({ stream: true, model: "house-model", stream_options: { include_usage: true }, ...body }),
  });
}

interface Said {
  content: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  usage: unknown;
  error: unknown;
}

interface Sent {
  readonly choices?: readonly { readonly delta?: Delta }[];
  readonly usage?: unknown;
  readonly error?: unknown;
}

interface Delta {
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly {
    readonly index?: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

/** Reads line by line what begins with `data:`; names are put together as arguments are, and a call without an index is lost. */
async function read(response: Response): Promise<Said> {
  const said: Said = { content: "", reasoning: "", calls: [], usage: undefined, error: undefined };
  for (const line of (await response.text()).split("\n")) {
    if (!line.startsWith("data:") || line.includes("[DONE]")) continue;
    const { choices = [], usage, error }: Sent = JSON.parse(line.slice("data:".length));
    if (usage) said.usage = usage;
    // Beside a choice it would not be looked at.
    if (choices.length === 0 && error) said.error = error;
    const delta = choices[0]?.delta ?? {};
    said.content += delta.content ?? "";
    said.reasoning += delta.reasoning_content ?? delta.reasoning ?? "";
    for (const { index, id = "", function: called = {} } of delta.tool_calls ?? []) {
      if (index === undefined) continue;
      const call = (said.calls[index] ??= { id, name: "", arguments: "" });
      call.name += called.name ?? "";
      call.arguments += called.arguments ?? "";
    }
  }
  return said;
}
