/**
 * What is sent is all that Anthropic's own types promise: each literal below is one of theirs to the compiler, so that a
 * field which they require and we forget fails `tsc`; and the tests say that it is what comes.
 */
import type Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStage, type Stage } from "./support/stage.ts";

const USAGE: Anthropic.Usage = {
  input_tokens: 88,
  output_tokens: 0,
  // The origin tells it only at the end.
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  output_tokens_details: { thinking_tokens: 0 },
  server_tool_use: null,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  service_tier: "standard",
  inference_geo: null,
  speed: null,
};

const MESSAGE: Anthropic.Message = {
  id: "msg_0123456789abcdef0123456789abcdef",
  type: "message",
  role: "assistant",
  model: "sim/say?cached=7&details=1",
  content: [
    { type: "thinking", thinking: "Hm", signature: "c2x1aWNlOnVuc2lnbmVk" },
    { type: "text", text: "Yes", citations: null },
    {
      type: "tool_use",
      id: "toolu_0123456789abcdef",
      name: "get_time",
      input: { tz: "" },
      caller: { type: "direct" },
    },
  ],
  stop_reason: "tool_use",
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage: {
    ...USAGE,
    input_tokens: 81,
    output_tokens: 33,
    cache_read_input_tokens: 7,
    output_tokens_details: { thinking_tokens: 1 },
  },
};

const EVENTS: readonly Anthropic.RawMessageStreamEvent[] = [
  { type: "message_start", message: { ...MESSAGE, content: [], stop_reason: null, usage: USAGE } },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm" } },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "signature_delta", signature: "c2x1aWNlOnVuc2lnbmVk" },
  },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "", citations: null } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Yes" } },
  { type: "content_block_stop", index: 1 },
  {
    type: "content_block_start",
    index: 2,
    content_block: {
      type: "tool_use",
      id: "toolu_0123456789abcdef",
      name: "get_time",
      input: {},
      caller: { type: "direct" },
    },
  },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"tz": ""}' } },
  { type: "content_block_stop", index: 2 },
  {
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null, stop_details: null, container: null },
    usage: {
      input_tokens: 81,
      output_tokens: 33,
      cache_read_input_tokens: 7,
      cache_creation_input_tokens: 0,
      output_tokens_details: { thinking_tokens: 1 },
      server_tool_use: null,
    },
  },
  { type: "message_stop" },
];

const COUNT: Anthropic.MessageTokensCount = { input_tokens: 88 };

const ERROR: Anthropic.ErrorResponse = {
  type: "error",
  error: { type: "invalid_request_error", message: '"max_tokens" is required.' },
  request_id: "req_0123456789abcdef0123456789abcdef",
};

const MODEL: Anthropic.ModelInfo = {
  id: "sim/chat",
  type: "model",
  display_name: "sim/chat",
  created_at: "2026-01-01T00:00:00.000Z",
  max_input_tokens: 8_192,
  max_tokens: 8_192,
  capabilities: null,
  lifecycle: "active",
  line: null,
  deprecated_at: null,
  retires_at: null,
};

const ASKED = {
  model: MESSAGE.model,
  max_tokens: 100,
  messages: [
    {
      role: "user",
      content: '<think>Hm</think>Yes<tool_call>\n{"name": "get_time", "arguments": {"tz": ""}}\n</tool_call>',
    },
  ],
  tools: [{ name: "get_time", input_schema: { type: "object" } }],
};

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

it("a stream", async () => {
  const text = await ask("/v1/messages", { ...ASKED, stream: true });
  const events = text.split("\n\n").flatMap((record) => {
    const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(record) ?? [];
    if (name === undefined || data === undefined) return [];
    const event: { type: string } = JSON.parse(data);
    expect(event.type).toBe(name);
    return [event];
  });
  expect(joined(events)).toEqual(EVENTS);
});

it("a whole message", async () => {
  expect(JSON.parse(await ask("/v1/messages", ASKED))).toEqual(MESSAGE);
});

it("a count", async () => {
  expect(JSON.parse(await ask("/v1/messages/count_tokens", ASKED))).toEqual(COUNT);
});

it("an error", async () => {
  expect(JSON.parse(await ask("/v1/messages", { ...ASKED, max_tokens: undefined }))).toEqual(ERROR);
});

it("a model", async () => {
  const model: { created_at: string } = JSON.parse(await (await fetch(`${stage.url}/v1/models/sim/chat`)).text());
  expect({ ...model, created_at: MODEL.created_at }).toMatchObject(MODEL);
});

/** Returns the answer, with the ids that differ from run to run made the same. */
async function ask(path: string, body: object): Promise<string> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const text = await (await fetch(stage.url + path, init)).text();
  return text
    .replace(/"(msg|req)_[0-9a-f]{32}"/g, '"$1_0123456789abcdef0123456789abcdef"')
    .replace(/"toolu_chatcmpl-tool-[0-9a-f]{16}"/g, '"toolu_0123456789abcdef"');
}

/** Returns the events with the pieces of a block's input joined: how many there are is the origin's choice. */
function joined(events: readonly { type: string; delta?: { partial_json?: string } }[]): object[] {
  const out: { delta?: { partial_json?: string } }[] = [];
  for (const event of events) {
    const last = out.at(-1);
    const piece = event.delta?.partial_json;
    const before = last?.delta?.partial_json;
    if (piece === undefined || before === undefined || last === undefined) out.push(event);
    else out[out.length - 1] = { ...last, delta: { ...last.delta, partial_json: before + piece } };
  }
  return out;
}
