/** Requests of Anthropic's protocol, and what their answers say. */
import { expect, inject } from "vitest";
import { asList, asObject, asText, type Json } from "../../support/chat-records.ts";
import type { Stage } from "./stage.ts";

export const MESSAGES = "/v1/messages";
export const COUNT = "/v1/messages/count_tokens";

export const QUESTION = { role: "user", content: "What is the weather in Paris?" };

export const MESSAGE_TOOLS = [
  {
    name: "get_weather",
    description: "Weather of a city",
    input_schema: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    },
  },
  { name: "get_time", input_schema: { type: "object", properties: { tz: { type: "string" } } } },
];

/** The template puts no thinking before the answer. */
export const DISABLED = { thinking: { type: "disabled" } };

/** Returns a request for a message; what `fields` say comes on top. */
export function message(fields: Json): Json {
  return { model: inject("vllm").model, max_tokens: 400, messages: [QUESTION], ...fields };
}

/** Asks for a message streamed and whole, fails unless both are the same but for ids and caches, and returns the streamed one. */
export async function askBoth(stage: Stage, request: Json): Promise<Json> {
  const streamed = await stage.ask({ ...request, stream: true }, MESSAGES);
  const whole = await stage.ask({ ...request, stream: false }, MESSAGES);
  expect([streamed.status, whole.status]).toEqual([200, 200]);
  const accumulated = accumulate(streamed.text);
  expect(lasting(accumulated)).toEqual(lasting(JSON.parse(whole.text)));
  return accumulated;
}

/** Ids differ from run to run, and so do what a cache held and, by how tokens came together, vLLM's count of the thought's. */
function lasting({ id: _id, content, usage, ...rest }: Json): Json {
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = asObject(usage);
  return {
    ...rest,
    content: asList(content).map((block) => (block["type"] === "tool_use" ? { ...block, id: "" } : block)),
    usage: {
      ...asObject(usage),
      input_tokens: Number(fresh) + Number(read) + Number(written),
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_creation: null,
      output_tokens_details: null,
    },
  };
}

/** Returns the message that a stream's events make up. Fails unless they obey the protocol. */
export function accumulate(stream: string): Json {
  const events = eventsIn(stream).filter(({ type }) => type !== "ping");
  const [start, ...rest] = events;
  expect(start?.["type"]).toBe("message_start");
  expect(rest.at(-1)?.["type"]).toBe("message_stop");
  const blocks: Json[] = [];
  let ending: Json = {};
  let open = false;
  for (const { type, index, content_block: block, delta: given, usage } of rest.slice(0, -1)) {
    const delta = asObject(given);
    expect(ending).toEqual({});
    if (type === "content_block_start") {
      expect([open, index]).toEqual([false, blocks.length]);
      blocks.push({ ...asObject(block), ...(asObject(block)["type"] === "tool_use" && { input: "" }) });
      open = true;
    } else if (type === "message_delta") {
      expect(open).toBe(false);
      ending = { ...delta, usage };
    } else {
      expect([open, index]).toEqual([true, blocks.length - 1]);
      if (type === "content_block_stop") open = false;
      else blocks[blocks.length - 1] = grown(blocks.at(-1) ?? {}, delta);
    }
  }
  const { message: begun } = asObject(start);
  const { usage, ...end } = ending;
  return {
    ...asObject(begun),
    content: blocks.map((block) =>
      block["type"] === "tool_use" ? { ...block, input: readInput(asText(block["input"])) } : block,
    ),
    ...end,
    usage: { ...asObject(asObject(begun)["usage"]), ...asObject(usage) },
  };
}

function grown(block: Json, { text, thinking, signature, partial_json: json }: Json): Json {
  if (text !== undefined) return { ...block, text: asText(block["text"]) + asText(text) };
  if (thinking !== undefined) return { ...block, thinking: asText(block["thinking"]) + asText(thinking) };
  if (signature !== undefined) return { ...block, signature };
  return { ...block, input: asText(block["input"]) + asText(json) };
}

/** A call that the limit cut has no input that could be told. */
function readInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

/** Returns the events of a stream; each is named as its type. */
export function eventsIn(stream: string): Json[] {
  expect(stream.endsWith("\n\n")).toBe(true);
  return stream
    .slice(0, -2)
    .split("\n\n")
    .map((record) => {
      const [, name, data = ""] = /^event: (.*)\ndata: (.*)$/.exec(record) ?? [];
      const event: Json = JSON.parse(data);
      expect(event["type"]).toBe(name);
      return event;
    });
}
