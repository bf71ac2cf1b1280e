import assert from "node:assert/strict";
import { eventsOf, post, streamOf } from "../gateway.ts";
import type { SimulatedStop } from "../stop.ts";

const WEATHER = {
  name: "get_weather",
  description: "The weather in a city, now",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

interface MessageEvent {
  readonly type: string;
  readonly content_block?: { readonly type: string; readonly name?: string };
  readonly delta?: {
    readonly thinking?: string;
    readonly text?: string;
    readonly partial_json?: string;
    readonly stop_reason?: string;
  };
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
  readonly error?: { readonly message: string };
}

/** The same vLLM in Anthropic's protocol: it thinks, then calls a tool, each in a block of its own. */
export const messages: SimulatedStop = {
  title: "The same model, as Claude Code would ask it",
  where: "simulated origin",
  async run(gateway, screen, sim) {
    screen.note(
      'POST /v1/messages  {"stream": true, "thinking": {"type": "adaptive"}, "tools": [get_weather(city)], …}',
    );
    const response = await post(gateway, "/v1/messages", {
      stream: true,
      max_tokens: 400,
      thinking: { type: "adaptive" },
      tools: [WEATHER],
      messages: [{ role: "user", content: "Do I need a coat in Rotterdam?" }],
    });
    const blocks: string[] = [];
    const types: string[] = [];
    let input = "";
    let end: MessageEvent | undefined;
    for await (const data of eventsOf(await streamOf(response))) {
      const event: MessageEvent = JSON.parse(data);
      assert.equal(event.error, undefined, `the stream failed: ${event.error?.message}`);
      const { type, content_block: block, delta } = event;
      types.push(type);
      if (block) {
        screen.note(`${type}: ${block.type}${block.name ? ` ${block.name}` : ""}`);
        blocks.push(block.type);
      }
      if (type === "message_delta") end = event;
      input += delta?.partial_json ?? "";
      screen.piece(delta?.thinking ?? delta?.text ?? delta?.partial_json ?? "");
    }
    assert.equal(sim.requests().at(-1)?.path, "/v1/chat/completions", "the origin was asked for something else");
    assert.equal(types.at(0), "message_start", "the stream did not begin with message_start");
    assert.equal(types.at(-1), "message_stop", "the stream did not end with message_stop");
    assert.deepEqual(blocks, ["thinking", "tool_use"], `the blocks are ${blocks.join()}`);
    const { city }: { city?: unknown } = JSON.parse(input);
    assert.equal(typeof city, "string", `the input does not fit the tool: ${input}`);
    assert.equal(end?.delta?.stop_reason, "tool_use", `it stopped with ${end?.delta?.stop_reason}`);
    assert.ok(end?.usage && end.usage.input_tokens > 0 && end.usage.output_tokens > 0, "the usage is missing");
    screen.seen(`${types.length} events, the blocks one after the other: ${blocks.join(", ")}; stop_reason: tool_use`);
    screen.seen(`usage: ${end.usage.input_tokens} tokens of prompt, ${end.usage.output_tokens} of answer`);
  },
};
