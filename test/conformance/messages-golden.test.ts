/** Messages streams byte for byte: of recorded chats, in files, and of ends that nobody recorded, written out here. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { asObject } from "../support/chat-records.ts";
import { ASKS, asMessages, foldMessages, replayMessages } from "../support/messages-replay.ts";
import { transcripts } from "../support/transcripts.ts";

const GOLDEN = new URL("golden/messages/", import.meta.url);

/** Python's and Rust's of each: text, reasoning, calls, their mixtures, and each way to end. */
const files = globSync("*/*.sse", { cwd: GOLDEN }).toSorted();

describe("the golden stream of", () => {
  // An engine that dies is recorded in a folder of its own.
  const recorded = new Map(transcripts("/v1/chat/completions").map((one) => [one.name.replace("-die/", "/"), one]));

  test.each(files)("%s", (file) => {
    const transcript = recorded.get(file.slice(0, -".sse".length));
    if (!transcript) throw new Error("no such recording");
    const { text } = replayMessages(asMessages(asObject(JSON.parse(transcript.request))), [transcript.body]);
    expect(text).toBe(readFileSync(new URL(file, GOLDEN), "utf8"));
  });

  test("both dialects, fifteen times", () => {
    expect(files.filter((file) => file.startsWith("python/"))).toHaveLength(15);
    expect(files.filter((file) => file.startsWith("rust/"))).toHaveLength(15);
  });
});

const says = (choice: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, ...choice }], ...more })}\n\n`;
const ROLE = says({ delta: { role: "assistant", content: "" } });
const TEXT = says({ delta: { content: "Hi" } });
const THOUGHT = says({ delta: { reasoning: "Hm" } });
const CALL = says({
  delta: { tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: '{"a":' } }] },
});
const STOP = says({ delta: {}, finish_reason: "stop" });
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}\n\n';
const ERROR = 'data: {"error":{"message":"the engine died","type":"InternalServerError","param":null,"code":500}}\n\n';
const DONE = "data: [DONE]\n\n";

const START = `event: message_start
data: {"type":"message_start","message":{"id":"msg_made-1","type":"message","role":"assistant","model":"tiny","content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,"usage":{"input_tokens":0,"output_tokens":0,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens_details":null,"server_tool_use":null,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"service_tier":"standard","inference_geo":null,"speed":null}}}

`;
const TEXT_BLOCK = `event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":null}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

`;
const THINKING_BLOCK = `event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}

`;
const CALL_BLOCK = `event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_call_1","name":"f","input":{},"caller":{"type":"direct"}}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\":"}}

`;
const END = `event: content_block_stop
data: {"type":"content_block_stop","index":0}

`;
const COUNTS = `"usage":{"input_tokens":9,"output_tokens":2,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens_details":null,"server_tool_use":null}`;
const ENDED = `event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,"container":null},${COUNTS}}

`;
const STOPPED = `event: message_stop
data: {"type":"message_stop"}

`;
const FAILED = `event: error
data: {"type":"error","error":{"type":"api_error","message":"The origin failed while it worked on this request."}}

`;

function stream(...frames: readonly string[]): string {
  return replayMessages(ASKS, [new TextEncoder().encode(frames.join(""))]).text;
}

describe("a stream", () => {
  test("of a text", () => {
    expect(stream(ROLE, TEXT, STOP, USAGE, DONE)).toBe(START + TEXT_BLOCK + END + ENDED + STOPPED);
  });

  test("whose content was filtered is a refusal", () => {
    expect(stream(ROLE, TEXT, says({ delta: {}, finish_reason: "content_filter" }), USAGE, DONE)).toBe(
      `${START}${TEXT_BLOCK}${END}event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal","category":null,"explanation":null},"container":null},${COUNTS}}

${STOPPED}`,
    );
  });

  test("without a word is an empty text", () => {
    expect(stream(ROLE, STOP, USAGE, DONE)).toBe(
      `${START}event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":null}}

${END}${ENDED}${STOPPED}`,
    );
  });

  test("tells first what the prompt has cost, where the origin does", () => {
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 0,
      total_tokens: 9,
      prompt_tokens_details: { cached_tokens: 4, created_cache_tokens: 99 },
    };
    const role = says({ delta: { role: "assistant" } }, { usage });
    expect(stream(role, TEXT, STOP, USAGE, DONE)).toBe(
      START.replace(
        '"input_tokens":0,"output_tokens":0,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,',
        '"input_tokens":0,"output_tokens":0,"cache_read_input_tokens":4,"cache_creation_input_tokens":5,',
      ).replace('"ephemeral_5m_input_tokens":0', '"ephemeral_5m_input_tokens":5') +
        TEXT_BLOCK +
        END +
        ENDED +
        STOPPED,
    );
  });

  test("whose usage nobody tells says that it is an estimate", () => {
    expect(stream(ROLE, TEXT, STOP, DONE)).toBe(
      START +
        TEXT_BLOCK +
        END +
        ENDED.replace(
          COUNTS,
          '"usage":{"input_tokens":2,"output_tokens":1,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens_details":null,"server_tool_use":null,"estimated":true}',
        ) +
        STOPPED,
    );
  });
});

describe("an error", () => {
  const ROWS: readonly [where: string, frames: readonly string[], sent: string][] = [
    ["before the first event", [ERROR], FAILED],
    ["after message_start", [ROLE, ERROR], START + FAILED],
    ["inside a text", [ROLE, TEXT, ERROR], START + TEXT_BLOCK + FAILED],
    ["inside a thought", [ROLE, THOUGHT, ERROR], START + THINKING_BLOCK + FAILED],
    ["inside a call", [ROLE, CALL, ERROR], START + CALL_BLOCK + FAILED],
    ["after the finish and before the usage", [ROLE, TEXT, STOP, ERROR], START + TEXT_BLOCK + END + FAILED],
    ["after the usage", [ROLE, TEXT, STOP, USAGE, ERROR], START + TEXT_BLOCK + END + ENDED + FAILED],
  ];

  test.each(ROWS)("%s ends the stream there", (_, frames, sent) => {
    expect(stream(...frames)).toBe(sent);
    expect(stream(...frames, TEXT, STOP, USAGE, DONE)).toBe(sent);
    expect(foldMessages(ASKS, [new TextEncoder().encode(frames.join(""))]).answer).toBe("origin_error");
  });

  test.each([
    ["after message_start", [ROLE], START],
    ["inside a text", [ROLE, TEXT], START + TEXT_BLOCK],
    ["inside a call", [ROLE, CALL], START + CALL_BLOCK],
  ])("a cut %s is told", (_, frames, sent) => {
    expect(stream(...frames)).toBe(
      `${sent}event: error
data: {"type":"error","error":{"type":"api_error","message":"The origin's stream ended before the answer was complete."}}

`,
    );
  });

  test("a call that is broken at the terminator is told, and nothing after it", () => {
    expect(stream(ROLE, CALL, DONE)).toBe(
      `${START}${CALL_BLOCK}${END}event: error
data: {"type":"error","error":{"type":"api_error","message":"The origin sent a tool call whose arguments are not complete JSON."}}

`,
    );
  });
});
