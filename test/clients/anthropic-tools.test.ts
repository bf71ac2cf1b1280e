/** Tools over several turns through Anthropic's SDK: what is called, with what, and under which ids results come back. */
import type { MessageParam, ToolUseBlock } from "@anthropic-ai/sdk/resources/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENERATIONS, TIME_TOOL, WEATHER_TOOL, type AnthropicClient } from "./support/anthropic.ts";
import { failureOf } from "./support/failure.ts";
import { openStage, type Stage } from "./support/stage.ts";

const WEATHER = { city: "Łódź", days: [1], units: "c" };
const TIME = { tz: "Europe/Paris" };
const tools = [WEATHER_TOOL, TIME_TOOL];

/** What the origin does to a call that a client should not be able to tell from a good one. */
const LOOSE = ["no-index", "id-again", "name-again", "args-object", "args-null", "type-missing", "stop", "legacy"];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("@anthropic-ai/sdk $version", ({ version, Anthropic }) => {
  let client: AnthropicClient;

  beforeAll(() => {
    client = new Anthropic({ baseURL: stage.url, apiKey: "unused", maxRetries: 0 });
  });

  async function callsOf(model: string, more: object = {}): Promise<ToolUseBlock[]> {
    const messages = [user("What is the weather?")];
    const answer = await client.messages.stream({ model, max_tokens: 500, messages, tools, ...more }).finalMessage();
    expect(answer.stop_reason).toBe("tool_use");
    return callsIn(answer.content);
  }

  describe.each(["", "-rust"])("of a server that speaks as sim%s", (dialect) => {
    it.each(["chat", ...LOOSE.map((name) => `tool-${name}`)])("a call of sim/%s", async (name) => {
      const [call, ...others] = await callsOf(`sim/${name}${dialect}`);
      expect(others).toEqual([]);
      expect(call).toMatchObject({ id: expect.stringMatching(/^toolu_[\w-]+$/), name: "get_weather", input: WEATHER });
    });

    it("calls whose fragments came mixed", async () => {
      const calls = await callsOf(`sim/tool-interleaved${dialect}`);
      expect(calls.map(({ name, input }) => [name, input])).toEqual([
        ["get_weather", WEATHER],
        ["get_time", TIME],
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    });

    it("a call without arguments", async () => {
      const calls = await callsOf(`sim/tool-no-args${dialect}`);
      expect(calls.map(({ name, input }) => [name, input])).toEqual([["get_weather", {}]]);
    });

    it("only the first call where parallel ones are off", async () => {
      const tool_choice = { type: "auto", disable_parallel_tool_use: true };
      const calls = await callsOf(`sim/tool-two-not-parallel${dialect}`, { tool_choice });
      expect(calls.map(({ name }) => name)).toEqual(["get_weather"]);
    });

    it("the call that the client names, and none where it forbids them", async () => {
      const model = `sim/chat${dialect}`;
      const calls = await callsOf(model, { tool_choice: { type: "tool", name: "get_time" } });
      expect(calls.map(({ name, input }) => [name, input])).toEqual([["get_time", TIME]]);
      const messages = [user("What is the weather?")];
      const asked = { model, max_tokens: 500, messages, tools, tool_choice: { type: "none" as const } };
      expect(await client.messages.create(asked)).toMatchObject({
        content: [{ type: "text" }],
        stop_reason: "end_turn",
      });
    });

    it.each([true, false])("two calls at once, and the answer to their results (stream: %s)", async (stream) => {
      const model = `sim/chat${dialect}?key=turns-${version}-${stream}`;
      const ask = (messages: MessageParam[]) => {
        const asked = { model, max_tokens: 500, messages, tools };
        return stream ? client.messages.stream(asked).finalMessage() : client.messages.create(asked);
      };
      const question = user("The weather and the time, both.");
      const { content } = await ask([question]);
      const calls = callsIn(content);
      expect(calls.map(({ name, input }) => [name, input])).toEqual([
        ["get_weather", WEATHER],
        ["get_time", TIME],
      ]);
      const [first, second] = calls.map(({ id }) => id);
      const results = [
        { type: "tool_result" as const, tool_use_id: first ?? "", content: "22 °C" },
        { type: "tool_result" as const, tool_use_id: second ?? "", content: [{ type: "text" as const, text: "noon" }] },
      ];
      const answer = await ask([question, { role: "assistant", content }, { role: "user", content: results }]);
      expect(answer).toMatchObject({ stop_reason: "end_turn", content: [{ type: "text" }] });
      expect(answer.content.at(-1)).toMatchObject({ text: expect.stringContaining("noon") });
      // The origin gets its own ids back.
      const [weather, time] = [originId(first), originId(second)];
      expect(stage.sent(model).at(-1)).toMatchObject({
        messages: [
          { role: "user", content: "The weather and the time, both." },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: weather, type: "function", function: { name: "get_weather", arguments: JSON.stringify(WEATHER) } },
              { id: time, type: "function", function: { name: "get_time", arguments: JSON.stringify(TIME) } },
            ],
          },
          { role: "tool", tool_call_id: weather, content: "22 °C" },
          { role: "tool", tool_call_id: time, content: "noon" },
        ],
      });
    });
  });

  it("thinks, calls, is given the result and answers, all in one conversation", async () => {
    const model = `sim/chat?key=thinks-${version}`;
    const rest = { model, max_tokens: 2_000, tools, thinking: { type: "enabled" as const, budget_tokens: 1_024 } };
    const question = user("What is the weather?");
    const { content } = await client.messages.stream({ ...rest, messages: [question] }).finalMessage();
    expect(content.map(({ type }) => type)).toEqual(["thinking", "tool_use"]);
    const [call] = callsIn(content);
    const result = { type: "tool_result" as const, tool_use_id: call?.id ?? "", content: "22 °C" };
    const messages: MessageParam[] = [question, { role: "assistant", content }, { role: "user", content: [result] }];
    const answer = await client.messages.stream({ ...rest, messages }).finalMessage();
    expect(answer.content.map(({ type }) => type)).toEqual(["thinking", "text"]);
    expect(answer.content.at(-1)).toMatchObject({ text: expect.stringContaining("22 °C") });
  });

  // The newest generation opens a thread for it, which needs a server that remembers; it goes on when told that this is none.
  it.each([true, false])("runs a tool by itself, in the loop of its helper (stream: %s)", async (stream) => {
    const seen: unknown[] = [];
    const weather = {
      ...WEATHER_TOOL,
      parse: (given: unknown) => given,
      run: (given: unknown) => {
        seen.push(given);
        return "22 °C";
      },
    };
    const messages = [user("What is the weather?")];
    const asked = { model: "sim/chat", max_tokens: 500, max_iterations: 4, messages, tools: [weather] };
    const last = await client.beta.messages.toolRunner({ ...asked, stream }).runUntilDone();
    expect(last.content).toMatchObject([{ type: "text", text: expect.stringContaining("22 °C") }]);
    expect(seen).toEqual([WEATHER]);
  });

  it("gets a call that the limit cut, as far as it came", async () => {
    const messages = [user("What is the weather?")];
    const asked = { model: "sim/tool-length", max_tokens: 500, messages, tools };
    const events = await Array.fromAsync(await client.messages.create({ ...asked, stream: true }));
    expect(events.find(({ type }) => type === "message_delta")).toMatchObject({ delta: { stop_reason: "max_tokens" } });
    const whole = await client.messages.create(asked);
    expect(whole).toMatchObject({ stop_reason: "max_tokens", content: [{ type: "tool_use", input: {} }] });
  });

  it.each([true, false])("fails rather than show a call whose arguments are broken (stream: %s)", async (stream) => {
    const messages = [user("What is the weather?")];
    const asked = { model: "sim/tool-broken", max_tokens: 500, messages, tools };
    const error = await failureOf(
      stream ? client.messages.stream(asked).finalMessage() : client.messages.create(asked),
    );
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ type: "api_error" });
  });
});

function user(content: string): { role: "user"; content: string } {
  return { role: "user", content };
}

function callsIn(content: readonly { type: string }[]): ToolUseBlock[] {
  return content.filter((block): block is ToolUseBlock => block.type === "tool_use");
}

function originId(id: string | undefined): string {
  return id?.replace(/^toolu_/, "") ?? "";
}
