/** Bodies of many elements, or nested deep, are translated or refused: nothing runs out of stack, or takes quadratic time. */
import { describe, expect, test } from "vitest";
import { refusalOf } from "./translate.ts";

const text = { type: "text", text: "t" };
const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } };

const inContent = (content: unknown[]) => [
  { role: "assistant", content },
  { role: "user", content: "x" },
];

describe("nested 100,000 deep", () => {
  const deep: unknown = JSON.parse(`${'{"a":['.repeat(50_000)}1${"]}".repeat(50_000)}`);
  test.each([
    ["messages", { messages: inContent([{ type: "tool_use", id: "a", name: "f", input: deep }]) }],
    ["messages", { messages: inContent([deep]) }],
    ["tools", { tools: [{ name: "f", input_schema: deep }] }],
    ["output_config", { output_config: { format: { type: "json_schema", schema: deep } } }],
    ["output_format", { output_format: { type: "json_schema", schema: deep } }],
    ["chat_template_kwargs", { chat_template_kwargs: deep }],
    ["logit_bias", { logit_bias: deep }],
  ])("%s", (field, request) => {
    expect(refusalOf(request)).toEqual(["invalid_request", field, `"${field}" is nested deeper than 500 levels.`]);
  });

  test("what is not sent on may be nested", () => {
    expect(refusalOf({ metadata: deep, tools: [] })).toHaveProperty("messages");
  });
});

describe("fifty thousand of", () => {
  const MANY = 50_000;
  const many = (element: unknown) => Array.from({ length: MANY }, () => element);
  const use = { type: "tool_use", id: "a", name: "f", input: {} };
  const result = { type: "tool_result", tool_use_id: "a", content: [text, png] };
  const user = { role: "user", content: "x" };
  test.each([
    ["messages", { messages: many(user) }],
    ["turns", { messages: [...many([user, { role: "assistant", content: "y" }]).flat(), user] }],
    ["system messages", { messages: [...many({ role: "system", content: "s" }), user] }],
    ["reminders", { messages: [user, ...many({ role: "system", content: "s" })] }],
    ["texts", { messages: [{ role: "user", content: many(text) }] }],
    ["images", { messages: [{ role: "user", content: many(png) }] }],
    ["texts of the assistant", { messages: [{ role: "assistant", content: many(text) }, user] }],
    [
      "calls and results",
      {
        messages: [
          { role: "assistant", content: many(use) },
          { role: "user", content: many(result) },
        ],
      },
    ],
    ["tools", { tools: many({ name: "f", input_schema: {} }) }],
    ["system blocks", { system: many(text) }],
  ])("%s", { timeout: 30_000 }, (_, request) => {
    expect(refusalOf(request)).toHaveProperty("messages");
  });
});
