/** Why a message stopped, what it cost, and what it is as a whole. */
import { describe, expect, test } from "vitest";
import type { Part } from "../../../../src/events/accumulate.ts";
import type { FinishReason } from "../../../../src/events/event.ts";
import type { Usage } from "../../../../src/events/usage.ts";
import { readStop, type MessageParts } from "../../../../src/protocols/messages/message.ts";
import { writeMessageUsage, writeUsage } from "../../../../src/protocols/messages/usage.ts";
import { writeWholeMessage } from "../../../../src/protocols/messages/whole.ts";

const BARE: Usage = {
  prompt: 100,
  completion: 30,
  cached: undefined,
  written: undefined,
  reasoning: undefined,
  estimated: false,
};

const stop = (reason: FinishReason, stopText?: string): object =>
  readStop({ type: "finish", reason, stopText }, ["END", "14"]);

describe("the stop", () => {
  const plain = { stop_sequence: null, stop_details: null };

  test.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["tool_calls", "tool_use"],
  ] as const)("%s is %s", (reason, told) => {
    expect(stop(reason)).toEqual({ stop_reason: told, ...plain });
    expect(stop(reason === "stop" ? "length" : reason, "END")).toMatchObject(plain);
  });

  test("a filtered content is a refusal, with its details", () => {
    expect(stop("content_filter")).toEqual({
      stop_reason: "refusal",
      stop_sequence: null,
      stop_details: { type: "refusal", category: null, explanation: null },
    });
  });

  test("at a text that the client asked for is that, at one of the origin's own is the end of the turn", () => {
    expect(stop("stop", "END")).toEqual({ stop_reason: "stop_sequence", stop_sequence: "END", stop_details: null });
    expect(stop("stop", "<|im_end|>")).toEqual({ stop_reason: "end_turn", ...plain });
  });
});

describe("the usage", () => {
  test("counts what came from a cache or went into one apart from the input", () => {
    expect(writeUsage({ ...BARE, cached: 64, written: 16, reasoning: 12 })).toEqual({
      input_tokens: 20,
      output_tokens: 30,
      cache_read_input_tokens: 64,
      cache_creation_input_tokens: 16,
      output_tokens_details: { thinking_tokens: 12 },
      server_tool_use: null,
    });
  });

  test("is 0 where the origin does not tell, and null where that would be a claim", () => {
    expect(writeUsage(BARE)).toEqual({
      input_tokens: 100,
      output_tokens: 30,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      output_tokens_details: null,
      server_tool_use: null,
    });
  });

  test("says that it is an estimate", () => {
    expect(writeUsage({ ...BARE, estimated: true })).toMatchObject({ input_tokens: 100, estimated: true });
  });

  test("of a message has what is said of the service beside", () => {
    expect(writeMessageUsage({ ...BARE, written: 16 })).toEqual({
      input_tokens: 84,
      output_tokens: 30,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 16,
      output_tokens_details: null,
      server_tool_use: null,
      cache_creation: { ephemeral_5m_input_tokens: 16, ephemeral_1h_input_tokens: 0 },
      service_tier: "standard",
      inference_geo: null,
      speed: null,
    });
  });
});

describe("a whole message", () => {
  const MESSAGE: MessageParts = { id: "msg_1", model: "mine", stopSequences: ["END"], omitsThinking: false };
  const CALL: Part = { type: "tool_call", id: "c0", name: "f", arguments: '{"a": 1.0, "a": 2}' };

  function write(parts: readonly Part[], reason: FinishReason = "stop", message: Partial<MessageParts> = {}): object {
    const finish = { type: "finish", reason, stopText: undefined } as const;
    return JSON.parse(writeWholeMessage({ parts, finish, usage: BARE }, { ...MESSAGE, ...message }));
  }

  test("has its parts as blocks in their order, its stop and its usage", () => {
    const parts: Part[] = [{ type: "reasoning", text: "so" }, { type: "text", text: "a" }, CALL];
    expect(write(parts, "tool_calls")).toEqual({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "mine",
      content: [
        { type: "thinking", thinking: "so", signature: "c2x1aWNlOnVuc2lnbmVk" },
        { type: "text", text: "a", citations: null },
        { type: "tool_use", id: "toolu_c0", name: "f", input: { a: 2 }, caller: { type: "direct" } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        input_tokens: 100,
        output_tokens: 30,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        output_tokens_details: null,
        server_tool_use: null,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        service_tier: "standard",
        inference_geo: null,
        speed: null,
      },
    });
  });

  test("that says nothing has an empty text", () => {
    const empty = { type: "text", text: "", citations: null };
    expect(write([])).toMatchObject({ content: [empty], stop_reason: "end_turn" });
    expect(write([{ type: "reasoning", text: "so" }])).toMatchObject({ content: [{ type: "thinking" }, empty] });
  });

  test("has its thinking without text where the client wants that", () => {
    expect(write([{ type: "reasoning", text: "so" }], "stop", { omitsThinking: true })).toMatchObject({
      content: [{ type: "thinking", thinking: "", signature: "c2x1aWNlOnVuc2lnbmVk" }, { text: "" }],
    });
  });

  test("has an empty input for a call that the limit cut", () => {
    for (const cut of ["", '{"a":', '{"a":}']) {
      expect(write([{ ...CALL, arguments: cut }], "length")).toMatchObject({
        content: [{ type: "tool_use", input: {} }],
        stop_reason: "max_tokens",
      });
    }
  });

  test("cannot have an input that is no object", () => {
    for (const broken of ['{"a":', '{"a":}', "[1]", "null", '"text"', ""]) {
      expect(() => write([{ ...CALL, arguments: broken }], "tool_calls")).toThrow(
        expect.objectContaining({
          code: "origin_protocol",
          message: "The origin sent a tool call whose arguments are not a JSON object.",
        }),
      );
    }
  });
});
