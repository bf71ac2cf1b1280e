/**
 * Claude Code, which cannot be installed here: its requests, header for header and block for block as its gateway's
 * documentation describes them and version 2.1.332 was seen to send them, with the settings of docs/clients.md.
 */
import { createHash, randomUUID } from "node:crypto";
import type Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { block, readExports } from "./support/page.ts";
import { openStage, type Stage } from "./support/stage.ts";

const KEY = "sk-a-key-of-claude-code";
const SESSION = "7f0c9a52-9d5e-4c0e-8a55-0f1d6b2c3e4f";

const TOOLS = [
  {
    name: "Bash",
    description: "Runs a command.",
    input_schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { command: { type: "string" }, timeout: { type: "number" } },
      required: ["command"],
      additionalProperties: false,
    },
    eager_input_streaming: true,
  },
  {
    name: "Read",
    description: "Reads a file.",
    input_schema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
    defer_loading: false,
    cache_control: { type: "ephemeral" },
  },
  { type: "web_search_20250305", name: "web_search", max_uses: 8 },
];

let stage: Stage;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  const hash = createHash("sha256").update(KEY).digest("hex");
  const shown: Record<string, object> = JSON.parse(block("models", "", KEY));
  const tests = {
    "claude-cut": { model: "sim/eof-mid" },
    "claude-small": { model: "tiny" },
    "claude-dead": { model: "sim/error-503-dead" },
    "claude-thinks": { model: "sim/chat?prefill_ms=1000" },
  };
  stage = await openStage({
    ALLOW_ANONYMOUS: "false",
    API_KEYS: { [hash]: { name: "claude-code" } },
    MODELS: { ...shown, ...tests },
    HOLD_MS: 300,
    KEEPALIVE_MS: 200,
  });
  env = readExports(block("claude-code", stage.url, KEY));
});

afterAll(() => stage[Symbol.asyncDispose]());

it("is told by the page where the gateway is, what its key is, and which models to ask for", () => {
  expect(env).toEqual({
    ANTHROPIC_BASE_URL: stage.url,
    ANTHROPIC_AUTH_TOKEN: KEY,
    ANTHROPIC_DEFAULT_OPUS_MODEL: "claude-local",
    ANTHROPIC_DEFAULT_SONNET_MODEL: "claude-local",
    ANTHROPIC_DEFAULT_HAIKU_MODEL: "claude-local",
    CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: "1",
  });
});

it("probes the connection, and any answer will do", async () => {
  const response = await fetch(`${env["ANTHROPIC_BASE_URL"]}/`, { method: "HEAD" });
  expect(response.status).toBe(404);
});

it("finds the models whose names begin as it wants", async () => {
  const response = await fetch(`${env["ANTHROPIC_BASE_URL"]}/v1/models?limit=1000`, {
    headers: headers(),
    redirect: "error",
  });
  const { data }: { data: { id: string; display_name: string }[] } = JSON.parse(await response.text());
  const offered = data.filter(({ id }) => /^(?:claude|anthropic)/.test(id));
  expect(offered.map(({ id, display_name: name }) => [id, name])).toContainEqual(["claude-local", "claude-local"]);
});

describe("a turn", () => {
  it("is streamed, begun with its thinking, and what the origin is asked is a chat that it can cache", async () => {
    const response = await post(turn("The first question."));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = await eventsOf(response);
    expect(events.at(0)?.type).toBe("message_start");
    expect(events.at(-1)?.type).toBe("message_stop");
    expect(blocksOf(events)).toEqual(["thinking", "tool_use"]);
    expect(lastSent()).toEqual({
      model: "sim/chat",
      messages: [
        {
          role: "system",
          content: "You are Claude Code, Anthropic's official CLI for Claude.\n\nYou are an interactive agent.",
        },
        {
          role: "user",
          content: "<system-reminder>\nToday's date is 2026-11-30.\n</system-reminder>\n\n\nThe first question.",
        },
      ],
      max_tokens: 8_192,
      tools: [
        {
          type: "function",
          function: { name: "Bash", description: "Runs a command.", parameters: TOOLS[0]?.input_schema },
        },
        {
          type: "function",
          function: { name: "Read", description: "Reads a file.", parameters: TOOLS[1]?.input_schema },
        },
      ],
      reasoning_effort: "high",
      chat_template_kwargs: { enable_thinking: true, thinking: true },
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    });
  });

  it("gives the origin the same bytes whatever its attribution says", async () => {
    await eventsOf(await post(turn("The same question.")));
    await eventsOf(await post(turn("The same question.")));
    const [first, second] = stage.asked("sim/chat").slice(-2);
    expect(first?.body).toContain("The same question.");
    expect(first?.body).not.toContain("billing");
    expect(second?.body).toBe(first?.body);
  });

  it("goes on with what its tools say, failures included", async () => {
    const events = await eventsOf(await post(turn("What is here?")));
    const call = events.flatMap((event) => (event.type === "content_block_start" ? [event.content_block] : [])).at(-1);
    if (call?.type !== "tool_use") throw new Error("There is no call.");
    const asked = turn("What is here?");
    const answered = {
      ...asked,
      messages: [
        ...asked.messages,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "A look will tell.", signature: "c2x1aWNlOnVuc2lnbmVk" },
            { ...call, input: { command: "ls" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: call.id, content: "ls: not permitted", is_error: true },
            { type: "text", text: "<system-reminder>\nBe careful.\n</system-reminder>" },
          ],
        },
        { role: "system", content: "The user has opened README.md." },
      ],
    };
    const next = await post(answered);
    expect(next.status).toBe(200);
    expect((await eventsOf(next)).at(-1)?.type).toBe("message_stop");
    const id = call.id.replace("toolu_", "");
    const { messages }: { messages: { content: string }[] } = JSON.parse(stage.asked("sim/chat").at(-1)?.body ?? "");
    expect(messages.slice(2)).toMatchObject([
      {
        role: "assistant",
        content: null,
        reasoning: "A look will tell.",
        tool_calls: [{ id, type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } }],
      },
      { role: "tool", tool_call_id: id, content: expect.stringContaining("ls: not permitted") },
      { role: "user", content: expect.stringContaining("Be careful.") },
    ]);
    expect(messages.at(-1)?.content).toContain("The user has opened README.md.");
  });

  it("is kept alive by pings while the model is silent", async () => {
    const events = await eventsOf(await post({ ...turn("Think."), model: "claude-thinks", max_tokens: 4_000 }));
    expect(events.filter(({ type }) => type === "ping").length).toBeGreaterThan(1);
    expect(events.at(-1)?.type).toBe("message_stop");
  });

  it("that breaks is told so in the stream, and asked for again as a whole", async () => {
    const events = await eventsOf(await post({ ...turn("Go on."), model: "claude-cut", max_tokens: 4_000 }));
    expect(events.at(-1)).toMatchObject({ type: "error", error: { type: "api_error" } });
    expect(events.map(({ type }) => type)).not.toContain("message_stop");
    const { stream: _stream, ...again } = turn("Go on.");
    const response = await post(again);
    expect(response.headers.get("content-type")).toBe("application/json");
    const message: Anthropic.Message = JSON.parse(await response.text());
    expect(message).toMatchObject({ type: "message", model: "claude-local", stop_reason: "tool_use" });
    expect(message.content.map(({ type }) => type)).toEqual(["thinking", "tool_use"]);
  });

  it("is named by its small model, whose answer keeps to a schema", async () => {
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    const response = await post({
      model: env["ANTHROPIC_DEFAULT_HAIKU_MODEL"],
      max_tokens: 512,
      temperature: 1,
      system: [
        { type: "text", text: attribution() },
        { type: "text", text: "Give it a title." },
      ],
      messages: [{ role: "user", content: [{ type: "text", text: "What is here?" }] }],
      tools: [],
      metadata: { user_id: userId() },
      output_config: { format: { type: "json_schema", schema } },
      thinking: { type: "disabled" },
    });
    const { content }: Anthropic.Message = JSON.parse(await response.text());
    expect(content).toMatchObject([{ type: "text", text: expect.stringMatching(/^\{"title": ".*"\}$/) }]);
  });
});

it("counts the tokens of a turn", async () => {
  const { max_tokens: _limit, stream: _stream, metadata: _user, ...asked } = turn("How long is this?");
  const response = await post(asked, "/v1/messages/count_tokens?beta=true");
  expect(response.status).toBe(200);
  const { input_tokens: counted }: Anthropic.MessageTokensCount = JSON.parse(await response.text());
  const [start] = await eventsOf(await post(turn("How long is this?")));
  expect(start).toMatchObject({ message: { usage: { input_tokens: counted } } });
});

describe("what goes wrong", () => {
  it("is a prompt that has to be compacted, in the words that it looks for", async () => {
    const response = await post({ ...turn("word ".repeat(4_000)), model: "claude-small" });
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([400, "false"]);
    const { error }: Anthropic.ErrorResponse = JSON.parse(await response.text());
    expect(error.type).toBe("invalid_request_error");
    expect(error.message).toMatch(/^prompt is too long: \d+ tokens > 2048 maximum$/);
  });

  it("is an origin that is down, to be asked again", async () => {
    const response = await post({ ...turn("Hello?"), model: "claude-dead", max_tokens: 4_000 });
    expect(response.status).toBe(503);
    expect(response.headers.get("x-should-retry")).toBe("true");
    expect(response.headers.get("request-id")).toMatch(/^req_/);
    expect(JSON.parse(await response.text())).toMatchObject({ error: { type: "overloaded_error" } });
  });

  it("is a wrong key", async () => {
    const response = await post(turn("Hello?"), "/v1/messages?beta=true", { authorization: "Bearer sk-wrong" });
    expect(response.status).toBe(401);
    expect(JSON.parse(await response.text())).toMatchObject({ error: { type: "authentication_error" } });
  });

  it("is not a key in the header that ANTHROPIC_API_KEY goes in", async () => {
    const { authorization: _bearer, ...rest } = headers();
    const body = JSON.stringify(turn("Hello?"));
    const response = await fetch(`${stage.url}/v1/messages?beta=true`, {
      method: "POST",
      headers: { ...rest, "x-api-key": KEY },
      body,
    });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });
});

function turn(question: string) {
  return {
    model: env["ANTHROPIC_DEFAULT_SONNET_MODEL"],
    max_tokens: 32_000,
    system: [
      { type: "text", text: attribution() },
      {
        type: "text",
        text: "You are Claude Code, Anthropic's official CLI for Claude.",
        cache_control: { type: "ephemeral" },
      },
      {
        type: "text",
        text: "You are an interactive agent.",
        cache_control: { type: "ephemeral", ttl: "1h", scope: "global" },
      },
    ],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "<system-reminder>\nToday's date is 2026-11-30.\n</system-reminder>\n\n" },
          { type: "text", text: question, cache_control: { type: "ephemeral" } },
        ],
      },
    ] as object[],
    tools: TOOLS,
    metadata: { user_id: userId() },
    thinking: { type: "adaptive" },
    output_config: { effort: "high" },
    context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
    stream: true,
  };
}

/** It says something else each time. */
function attribution(): string {
  return `x-anthropic-billing-header: cc_version=2.1.332.${randomUUID().slice(0, 3)}; cc_entrypoint=cli; cch=${randomUUID().slice(0, 5)};`;
}

function userId(): string {
  return JSON.stringify({ device_id: "d".repeat(64), account_uuid: "", session_id: SESSION });
}

function headers(): Record<string, string> {
  return {
    accept: "application/json",
    authorization: `Bearer ${env["ANTHROPIC_AUTH_TOKEN"]}`,
    "content-type": "application/json",
    "user-agent": "claude-cli/2.1.332 (external, cli)",
    "anthropic-version": "2023-06-01",
    "anthropic-beta":
      "claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,prompt-caching-scope-2026-01-05,effort-2025-11-24,mid-conversation-system-2026-04-07,not-heard-of-2027-01-01",
    "anthropic-dangerous-direct-browser-access": "true",
    "x-app": "cli",
    "x-claude-code-session-id": SESSION,
    "x-client-request-id": randomUUID(),
    "x-stainless-arch": "x64",
    "x-stainless-lang": "js",
    "x-stainless-os": "Linux",
    "x-stainless-package-version": "0.115.0",
    "x-stainless-retry-count": "0",
    "x-stainless-runtime": "node",
    "x-stainless-runtime-version": "v24.3.0",
    "x-stainless-timeout": "600",
  };
}

function post(body: object, path = "/v1/messages?beta=true", more: Record<string, string> = {}): Promise<Response> {
  return fetch(`${env["ANTHROPIC_BASE_URL"]}${path}`, {
    method: "POST",
    headers: { ...headers(), ...more },
    body: JSON.stringify(body),
  });
}

function lastSent(): unknown {
  return stage.sent("sim/chat").at(-1);
}

type Sent =
  | Anthropic.RawMessageStreamEvent
  | { type: "ping" }
  | { type: "error"; error: { type: string; message: string } };

async function eventsOf(response: Response): Promise<Sent[]> {
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((record) => record !== "")
    .map((record) => {
      const [, name, data = ""] = /^event: (.*)\ndata: (.*)$/.exec(record) ?? [];
      const event: Sent = JSON.parse(data);
      expect(event.type).toBe(name);
      return event;
    });
}

function blocksOf(events: readonly Sent[]): string[] {
  return events.flatMap((event) => (event.type === "content_block_start" ? [event.content_block.type] : []));
}
