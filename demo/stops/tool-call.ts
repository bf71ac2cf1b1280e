import assert from "node:assert/strict";
import { chunksOf, postChat, streamOf } from "../gateway.ts";
import type { AnywhereStop } from "../stop.ts";

const WEATHER = {
  type: "function",
  function: {
    name: "get_weather",
    description: "The weather in a city, now",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, unit: { type: "string", enum: ["celsius", "fahrenheit"] } },
      required: ["city", "unit"],
      additionalProperties: false,
    },
  },
};

/** A call's arguments come in fragments that join to JSON which fits the tool. */
export const toolCall: AnywhereStop = {
  title: "A tool call, its arguments in fragments",
  where: "anywhere",
  needsTools: true,
  async run(gateway, screen) {
    screen.note('POST /v1/chat/completions  {"stream": true, "tools": [get_weather(city, unit)], …}');
    const response = await postChat(gateway, {
      stream: true,
      tools: [WEATHER],
      tool_choice: "required",
      messages: [{ role: "user", content: "Do I need a coat in Rotterdam? In celsius, please." }],
    });
    let id = "";
    let name = "";
    let text = "";
    let fragments = 0;
    const finishes: string[] = [];
    for await (const chunk of chunksOf(await streamOf(response))) {
      assert.equal(chunk.error, undefined, `the stream failed: ${chunk.error?.message}`);
      for (const { delta, finish_reason: finish } of chunk.choices ?? []) {
        for (const call of delta.tool_calls ?? []) {
          id ||= call.id ?? "";
          name ||= call.function?.name ?? "";
          const fragment = call.function?.arguments ?? "";
          if (fragment !== "") fragments += 1;
          text += fragment;
          screen.piece(fragment);
        }
        if (finish) finishes.push(finish);
      }
    }
    assert.equal(name, "get_weather", "another tool was called, or none");
    assert.notEqual(id, "", "the call has no id");
    assert.deepEqual(finishes, ["tool_calls"], `the answer finished with ${finishes.join() || "nothing"}`);
    const { city, unit }: { city?: unknown; unit?: unknown } = JSON.parse(text);
    assert.ok(typeof city === "string" && typeof unit === "string", `the arguments do not fit the tool: ${text}`);
    screen.seen(
      `${name}(city: ${JSON.stringify(city)}, unit: ${JSON.stringify(unit)}) from ${fragments} fragments, finish: tool_calls`,
    );
  },
};
