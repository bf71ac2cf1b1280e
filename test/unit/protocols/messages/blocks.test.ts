/** Events of an answer's parts as content blocks, byte for byte. */
import { describe, expect, test } from "vitest";
import type { StreamEvent } from "../../../../src/events/event.ts";
import { Blocks } from "../../../../src/protocols/messages/blocks.ts";

const TEXT = '{"type":"text","text":"","citations":null}';
const THINKING = '{"type":"thinking","thinking":"","signature":""}';
const SIGNATURE = '{"type":"signature_delta","signature":"c2x1aWNlOnVuc2lnbmVk"}';

const starts = (index: number, block: string): string =>
  `event: content_block_start\ndata: {"type":"content_block_start","index":${index},"content_block":${block}}\n\n`;
const adds = (index: number, delta: string): string =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${delta}}\n\n`;
const stops = (index: number): string =>
  `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}\n\n`;
const tool = (id: string, name: string): string =>
  `{"type":"tool_use","id":"${id}","name":"${name}","input":{},"caller":{"type":"direct"}}`;

const text = (said: string): StreamEvent => ({ type: "text", text: said });
const reasoning = (said: string): StreamEvent => ({ type: "reasoning", text: said });
const call = (id: string): StreamEvent => ({ type: "tool_call_start", id, name: "f" });
const piece = (said: string): StreamEvent => ({ type: "tool_call_delta", text: said });
const COMPLETE: StreamEvent = { type: "tool_call_complete" };

/** What `events` and then the end of the content bring about. */
function write(events: readonly StreamEvent[], omitsThinking = false): string {
  const blocks = new Blocks(omitsThinking);
  const bytes = [...events.flatMap((event) => blocks.push(event)), ...blocks.end()];
  return bytes.map((record) => new TextDecoder().decode(record)).join("");
}

describe("blocks", () => {
  test("a text", () => {
    expect(write([text("a"), text('"\n')])).toBe(
      starts(0, TEXT) +
        adds(0, '{"type":"text_delta","text":"a"}') +
        adds(0, String.raw`{"type":"text_delta","text":"\"\n"}`) +
        stops(0),
    );
  });

  test("thinking, signed once, then a text", () => {
    expect(write([reasoning("so"), reasoning(" on"), text("a")])).toBe(
      starts(0, THINKING) +
        adds(0, '{"type":"thinking_delta","thinking":"so"}') +
        adds(0, '{"type":"thinking_delta","thinking":" on"}') +
        adds(0, SIGNATURE) +
        stops(0) +
        starts(1, TEXT) +
        adds(1, '{"type":"text_delta","text":"a"}') +
        stops(1),
    );
  });

  test("two calls, of which one has no arguments", () => {
    expect(write([call("c-0"), COMPLETE, call("c 1"), piece('{"a":'), piece("1}"), COMPLETE])).toBe(
      starts(0, tool("toolu_c-0", "f")) +
        stops(0) +
        starts(1, tool("toolu_x_632031", "f")) +
        adds(1, String.raw`{"type":"input_json_delta","partial_json":"{\"a\":"}`) +
        adds(1, '{"type":"input_json_delta","partial_json":"1}"}') +
        stops(1),
    );
  });

  test("a text before a call and after it", () => {
    expect(write([text("a"), call("c0"), piece("{}"), COMPLETE, text("b")])).toBe(
      starts(0, TEXT) +
        adds(0, '{"type":"text_delta","text":"a"}') +
        stops(0) +
        starts(1, tool("toolu_c0", "f")) +
        adds(1, '{"type":"input_json_delta","partial_json":"{}"}') +
        stops(1) +
        starts(2, TEXT) +
        adds(2, '{"type":"text_delta","text":"b"}') +
        stops(2),
    );
  });
});

describe("an answer that says nothing", () => {
  test("is an empty text", () => {
    expect(write([])).toBe(starts(0, TEXT) + stops(0));
  });

  test("but thinks, is the thinking and an empty text", () => {
    expect(write([reasoning("so")])).toBe(
      starts(0, THINKING) +
        adds(0, '{"type":"thinking_delta","thinking":"so"}') +
        adds(0, SIGNATURE) +
        stops(0) +
        starts(1, TEXT) +
        stops(1),
    );
  });
});

describe("thinking that the client does not want to read", () => {
  test("is a signed block without text, and a ping for each piece, so that the stream is seen to go on", () => {
    const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
    expect(write([reasoning("so"), reasoning(" on"), reasoning("."), text("a")], true)).toBe(
      starts(0, THINKING) +
        ping.repeat(2) +
        adds(0, SIGNATURE) +
        stops(0) +
        starts(1, TEXT) +
        adds(1, '{"type":"text_delta","text":"a"}') +
        stops(1),
    );
  });
});

test("events that belong to no part bring about nothing", () => {
  const usage = { prompt: 1, completion: 1, cached: 0, written: 0, reasoning: 0, estimated: false };
  const blocks = new Blocks(false);
  expect(blocks.push({ type: "start", usage })).toEqual([]);
  expect(blocks.push({ type: "usage", usage })).toEqual([]);
  expect(blocks.push({ type: "finish", reason: "stop", stopText: undefined })).toEqual([]);
});
