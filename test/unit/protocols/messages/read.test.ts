/** A Messages request, read: what the origin is asked, and who decides whether a forced model thinks. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/core/json/object.ts";
import { readChat } from "../../../../src/protocols/chat/read.ts";
import { readMessages } from "../../../../src/protocols/messages/read.ts";
import type { Call, CallParts } from "../../../../src/protocols/protocol.ts";
import { readJson } from "../../../../src/protocols/read-json.ts";
import { callParts } from "../../../support/replay.ts";

const TOOLS = [{ name: "f", input_schema: { type: "object" } }];
const ASKS = { model: "mine", max_tokens: 64, messages: [{ role: "user", content: "Say it." }] };

function read(request: object, parts: Partial<CallParts> = {}): Call {
  return readMessages(readJson(JSON.stringify(request)), { ...callParts(), ...parts });
}

function forwarded(request: object, parts: Partial<CallParts> = {}, named?: string): JsonObject {
  return JSON.parse(read(request, parts).forward(named));
}

describe("what the origin is asked", () => {
  const CHAT = {
    model: "mine",
    messages: [{ role: "user", content: "Say it." }],
    max_tokens: 64,
    stream: true,
    stream_options: { include_usage: true, continuous_usage_stats: true },
  };

  test("is a stream of chat with usage all along, whether the client streams or not", () => {
    for (const stream of [true, false, null, undefined]) {
      expect(read({ ...ASKS, stream }).forward(undefined)).toBe(JSON.stringify(CHAT));
    }
  });

  test("goes by the origin's name of the model", () => {
    expect(forwarded(ASKS, {}, "theirs")).toEqual({ ...CHAT, model: "theirs" });
    expect(read(ASKS)).toMatchObject({ model: "mine", promptParam: "messages" });
  });

  test("is no more than the model's window has", () => {
    const models = new Map([
      ["mine", { maxModelLen: 32 }],
      ["other", { maxModelLen: 8 }],
    ]);
    expect(forwarded(ASKS, { models })).toMatchObject({ max_tokens: 32 });
    expect(forwarded({ ...ASKS, model: "else" }, { models })).toMatchObject({ max_tokens: 64 });
    expect(forwarded(ASKS, { models: new Map([["mine", { maxModelLen: undefined }]]) })).toMatchObject({
      max_tokens: 64,
    });
  });
});

test("the kind of call goes by `stream`", () => {
  expect(read({ ...ASKS, stream: true }).kind).toBe("stream");
  expect(read({ ...ASKS, stream: false }).kind).toBe("folded");
  expect(read(ASKS).kind).toBe("folded");
});

describe("a model that is forced", () => {
  const FORCED = { ...ASKS, tools: TOOLS, tool_choice: { type: "any" } };
  const NOT = { chat_template_kwargs: { enable_thinking: false } };

  test.each([
    ["to call any tool", FORCED],
    ["to call one", { ...FORCED, tool_choice: { type: "tool", name: "f" } }],
    ["into a schema", { ...ASKS, output_config: { format: { type: "json_schema", schema: { type: "object" } } } }],
  ])("%s does not think where that is set to false, and only there", (_, request) => {
    expect(forwarded(request, { thinkingWhenForced: false })).toMatchObject(NOT);
    expect(forwarded(request, { thinkingWhenForced: true })).not.toHaveProperty("chat_template_kwargs");
    expect(forwarded(request)).not.toHaveProperty("chat_template_kwargs");
  });

  test("does what its client says of thinking", () => {
    const thinking = { type: "enabled", budget_tokens: 1_024 };
    expect(forwarded({ ...FORCED, max_tokens: 4_096, thinking }, { thinkingWhenForced: false })).toMatchObject({
      chat_template_kwargs: { enable_thinking: true },
    });
  });

  test("is not one that may choose", () => {
    const free = { ...FORCED, tool_choice: { type: "auto" } };
    expect(forwarded(free, { thinkingWhenForced: false })).not.toHaveProperty("chat_template_kwargs");
  });

  test("is told the same in chat", () => {
    const chat = { model: "mine", messages: ASKS.messages, response_format: { type: "json_object" } };
    const sent = (more: object, thinkingWhenForced: boolean | undefined): JsonObject => {
      const body = readJson(JSON.stringify({ ...chat, ...more }));
      return JSON.parse(readChat(body, { ...callParts(), thinkingWhenForced }).forward("mine"));
    };
    expect(sent({}, false)).toMatchObject(NOT);
    expect(sent({}, undefined)).toEqual(chat);
    const thinks = { chat_template_kwargs: { enable_thinking: true } };
    expect(sent(thinks, false)).toEqual({ ...chat, ...thinks });
  });
});
