/** Which tools, choices of tools and kinds of thinking are refused, for an answer and a count alike. */
import { expect, test } from "vitest";
import { refusalOf, type Row } from "./translate.ts";

const tool = (more: object) => ({ tools: [{ name: "f", input_schema: {}, ...more }] });
const choice = (tool_choice: unknown) => ({ ...tool({}), tool_choice });
const thinking = (more: unknown) => ({ max_tokens: 2048, thinking: more });
const search = { type: "web_search_20250305", name: "web_search" };

const rows: Row[] = [
  [{ tools: {} }, "tools", '"tools" must be a list.'],
  [{ tools: [null] }, "tools[0]", '"tools[0]" must be an object.'],
  [tool({ name: "" }), "tools[0].name", '"tools[0].name" must be a string that is not empty.'],
  [tool({ input_schema: null }), "tools[0].input_schema", '"tools[0].input_schema" must be an object.'],
  [tool({ description: 5 }), "tools[0].description", '"tools[0].description" must be a string.'],
  [tool({ strict: 1 }), "tools[0].strict", '"tools[0].strict" must be true or false.'],
  [tool({ type: 5 }), "tools[0].type", '"tools[0].type" must be a string.'],
  [tool({ type: "a b" }), "tools[0].type", '"tools[0].type" must not be that: nothing here runs that tool.'],
  ...["bash_20250124", "text_editor_20250728", "memory_20250818", "computer_20250124", "browser_toolset_20260801"].map(
    (type): Row => [
      { tools: [{ type, name: "t" }] },
      "tools[0].type",
      `"tools[0].type" must not be "${type}": send it as a custom tool with its input_schema.`,
    ],
  ),
  ...["code_execution_20250825", "mcp_toolset", "advisor_20260301"].map((type): Row => [
    { tools: [{ type, name: "t" }] },
    "tools[0].type",
    `"tools[0].type" must not be "${type}": nothing here runs that tool.`,
  ]),
  [choice("auto"), "tool_choice", '"tool_choice" must be an object.'],
  [choice({ type: "x" }), "tool_choice.type", '"tool_choice.type" must be "auto", "any", "tool" or "none".'],
  [choice({ type: "tool" }), "tool_choice.name", '"tool_choice.name" must be a string that is not empty.'],
  [
    choice({ type: "tool", name: "g" }),
    "tool_choice.name",
    '"tool_choice.name" must be the name of one of "tools" that can be called here.',
  ],
  [
    { tools: [search], tool_choice: { type: "tool", name: "web_search" } },
    "tool_choice.name",
    '"tool_choice.name" must be the name of one of "tools" that can be called here.',
  ],
  [
    { tools: [search], tool_choice: { type: "any" } },
    "tool_choice",
    '"tool_choice" needs one of "tools" that can be called here.',
  ],
  [
    choice({ type: "auto", disable_parallel_tool_use: 1 }),
    "tool_choice.disable_parallel_tool_use",
    '"tool_choice.disable_parallel_tool_use" must be true or false.',
  ],
  [thinking("on"), "thinking", '"thinking" must be an object.'],
  [
    thinking({ type: "x" }),
    "thinking.type",
    '"thinking.type" must be "enabled", "adaptive", "between_tools" or "disabled".',
  ],
  [
    thinking({ type: "enabled" }),
    "thinking.budget_tokens",
    '"thinking.budget_tokens" must be a whole number, 1024 or more.',
  ],
  [
    thinking({ type: "enabled", budget_tokens: 1023 }),
    "thinking.budget_tokens",
    '"thinking.budget_tokens" must be a whole number, 1024 or more.',
  ],
  [thinking({ type: "adaptive", display: 5 }), "thinking.display", '"thinking.display" must be a string.'],
];

test.each(rows)("%j", (request, param, sentence) => {
  expect(refusalOf(request)).toEqual(["invalid_request", param, sentence]);
  expect(refusalOf(request, true)).toEqual(["invalid_request", param, sentence]);
});
