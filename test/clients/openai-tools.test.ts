/** Tool calls through the strict helpers of the `openai` package. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { GENERATIONS, type OpenAIClient } from "./support/openai.ts";
import { openStage, type Stage } from "./support/stage.ts";
import { TIME_TOOL, WEATHER_TOOL } from "./support/weather.ts";

const WEATHER = { city: "Łódź", days: [1], units: "c" };
const TIME = { tz: "Europe/Paris" };
const messages = [{ role: "user" as const, content: "What is the weather?" }];
const tools = [WEATHER_TOOL, TIME_TOOL];
const parameters = z.object({ city: z.string(), days: z.array(z.int().min(1)), units: z.enum(["c", "f"]) });

const LOOSE = ["no-index", "id-again", "name-again", "args-object", "args-null", "type-missing", "stop", "legacy"];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

describe.each(GENERATIONS)("openai $version", ({ OpenAI, helpers }) => {
  let client: OpenAIClient;

  beforeAll(() => {
    client = new OpenAI({ baseURL: stage.baseURL, apiKey: "unused", maxRetries: 0 });
  });

  async function callsOf(model: string, more: object = {}): Promise<[id: string, name: string, text: string][]> {
    const stream = client.chat.completions.stream({ model, messages, tools, ...more });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    return (choices[0]?.message.tool_calls ?? []).map((call) => {
      if (call.type !== "function") throw new Error(`A call is of type ${call.type}.`);
      return [call.id, call.function.name, call.function.arguments];
    });
  }

  describe.each(["", "-rust"])("of a server that speaks as sim%s", (dialect) => {
    it.each(["chat", ...LOOSE.map((name) => `tool-${name}`)])("a call of sim/%s", async (name) => {
      const [[id, tool, text] = [], ...others] = await callsOf(`sim/${name}${dialect}`);
      expect(others).toEqual([]);
      expect(id).toMatch(/./);
      expect(tool).toBe("get_weather");
      expect(JSON.parse(text ?? "")).toEqual(WEATHER);
    });

    it("calls whose fragments came mixed", async () => {
      const calls = await callsOf(`sim/tool-interleaved${dialect}`);
      expect(calls.map(([, tool, text]) => [tool, JSON.parse(text)])).toEqual([
        ["get_weather", WEATHER],
        ["get_time", TIME],
      ]);
      expect(new Set(calls.map(([id]) => id)).size).toBe(2);
    });

    it("a call without arguments", async () => {
      const calls = await callsOf(`sim/tool-no-args${dialect}`);
      expect(calls.map(([, tool, text]) => [tool, text])).toEqual([["get_weather", "{}"]]);
    });

    it("only the first call where parallel ones are off", async () => {
      const calls = await callsOf(`sim/tool-two-not-parallel${dialect}`, { parallel_tool_calls: false });
      expect(calls.map(([, tool]) => tool)).toEqual(["get_weather"]);
    });
  });

  it("says when a call's arguments are complete, and parses them", async () => {
    const stream = client.chat.completions.stream({
      model: "sim/chat",
      messages,
      tools: [helpers.zodFunction({ name: "get_weather", parameters })],
    });
    const done: unknown[] = [];
    stream.on("tool_calls.function.arguments.done", (event) => done.push([event.name, event.parsed_arguments]));
    await stream.done();
    expect(done).toEqual([["get_weather", WEATHER]]);
  });

  it("runTools() calls the function and streams the answer to its result", async () => {
    const seen: unknown[] = [];
    const weather = helpers.zodFunction({
      name: "get_weather",
      parameters,
      function: (given) => {
        seen.push(given);
        return "22 °C";
      },
    });
    const runner = client.chat.completions.runTools({ model: "sim/chat", messages, stream: true, tools: [weather] });
    expect(await runner.finalContent()).toContain("22 °C");
    expect(seen).toEqual([WEATHER]);
  });

  it("a whole answer obeys the same rules", async () => {
    const answer = await client.chat.completions.create({ model: "sim/full-rules", messages, tools });
    const [choice] = answer.choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    const [call] = choice?.message.tool_calls ?? [];
    expect(JSON.parse(call?.type === "function" ? call.function.arguments : "")).toEqual(WEATHER);
    const reasoning = "\nA tool knows that…\n";
    expect(choice?.message).toMatchObject({ reasoning, reasoning_content: reasoning });
  });
});
