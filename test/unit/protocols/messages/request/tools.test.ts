/** Tools: which are sent, how they are chosen, and where their calls and results stand among the messages. */
import { describe, expect, test } from "vitest";
import { translateMessages } from "../../../../../src/protocols/messages/request/index.ts";
import { chatOf, HI, messagesOf } from "./translate.ts";

const SCHEMA = { type: "object", properties: { q: { type: "string" } } };
const f = { name: "f", input_schema: SCHEMA };
const F = { type: "function", function: { name: "f", parameters: SCHEMA } };
const search = { type: "web_search_20250305", name: "web_search", max_uses: 5 };

describe("tools", () => {
  const rows: [string, unknown, unknown][] = [
    ["without a type", [f], [F]],
    ["of type null", [{ ...f, type: null }], [F]],
    [
      "custom, with everything",
      [
        {
          ...f,
          type: "custom",
          description: "d",
          strict: true,
          cache_control: { type: "ephemeral" },
          defer_loading: true,
          eager_input_streaming: true,
          input_examples: [{ q: "x" }],
          allowed_callers: ["direct"],
        },
      ],
      [{ type: "function", function: { name: "f", description: "d", parameters: SCHEMA, strict: true } }],
    ],
    ["a search that a server runs", [search, f], [F]],
    ["a fetch that a server runs", [f, { type: "web_fetch_20250910", name: "web_fetch" }], [F]],
    ["a search for tools", [{ type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" }, f], [F]],
    ["servers' alone", [search], undefined],
    ["none", [], undefined],
    ["null", null, undefined],
  ];
  test.each(rows)("%s", (_, tools, expected) => {
    expect(chatOf({ tools })["tools"]).toEqual(expected);
  });
});

describe("tool_choice", () => {
  const rows: [object, unknown, boolean][] = [
    [{ tools: [f] }, undefined, false],
    [{ tools: [f], tool_choice: null }, undefined, false],
    [{ tools: [f], tool_choice: { type: "auto" } }, "auto", false],
    [{ tools: [f], tool_choice: { type: "any" } }, "required", false],
    [{ tools: [f], tool_choice: { type: "none" } }, "none", false],
    [{ tools: [f], tool_choice: { type: "tool", name: "f" } }, { type: "function", function: { name: "f" } }, false],
    [{ tools: [f], tool_choice: { type: "auto", disable_parallel_tool_use: true } }, "auto", true],
    [{ tools: [f], tool_choice: { type: "auto", disable_parallel_tool_use: false } }, "auto", false],
    [{ tools: [search], tool_choice: { type: "auto", disable_parallel_tool_use: true } }, undefined, false],
    [{ tool_choice: { type: "auto" } }, undefined, false],
    [{ tools: [], tool_choice: { type: "none" } }, undefined, false],
  ];
  test.each(rows)("%j", (request, choice, single) => {
    const made = translateMessages({ model: "m", max_tokens: 9, messages: HI, ...request }, undefined);
    expect([made.chat["tool_choice"], made.single]).toEqual([choice, single]);
    expect(made.chat).not.toHaveProperty("parallel_tool_calls");
  });
});

const use = (id: string, more: object = {}) => ({ type: "tool_use", id, name: "f", input: { q: "x" }, ...more });
const call = (id: string, args = '{"q":"x"}') => ({ id, type: "function", function: { name: "f", arguments: args } });
const result = (id: string, more: object = {}) => ({ type: "tool_result", tool_use_id: id, ...more });
const tool = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });
const text = (said: string) => ({ type: "text", text: said });
const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } };
const PNG = { type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } };
const after = (content: unknown) => ({ role: "user", content });
const ask = after("q");

describe("calls", () => {
  const rows: [string, unknown, object][] = [
    ["alone", [use("toolu_a")], { content: null, tool_calls: [call("a")] }],
    ["with text", [text("Look."), use("toolu_a")], { content: "Look.", tool_calls: [call("a")] }],
    [
      "with thinking",
      [{ type: "thinking", thinking: "hm" }, use("toolu_a")],
      { content: null, reasoning: "hm", tool_calls: [call("a")] },
    ],
    ["several", [use("toolu_a"), use("toolu_b")], { content: null, tool_calls: [call("a"), call("b")] }],
    ["an id that had to be escaped", [use("toolu_x_663a30")], { content: null, tool_calls: [call("f:0")] }],
    ["an id of another server", [use("call_9")], { content: null, tool_calls: [call("call_9")] }],
    ["no input", [use("toolu_a", { input: undefined })], { content: null, tool_calls: [call("a", "{}")] }],
    [
      "with a caller",
      [use("toolu_a", { caller: { type: "direct" }, toolset_name: "t", cache_control: {} })],
      { content: null, tool_calls: [call("a")] },
    ],
  ];
  test.each(rows)("%s", (_, content, expected) => {
    expect(messagesOf([ask, { role: "assistant", content }, ask])).toEqual([
      ask,
      { role: "assistant", ...expected },
      ask,
    ]);
  });
});

const CALLS = { role: "assistant", content: null, tool_calls: [call("a"), call("b")] };

describe("results", () => {
  const reminder = "<system-reminder>\ns\n</system-reminder>";
  const system = { role: "system", content: "s" };
  const rows: [string, unknown[], unknown[]][] = [
    ["a string", [after([result("toolu_a", { content: "R" })])], [tool("a", "R")]],
    ["texts", [after([result("toolu_a", { content: [text("R"), text("S")] })])], [tool("a", "R\nS")]],
    ["absent", [after([result("toolu_a")])], [tool("a", "")]],
    ["null", [after([result("toolu_a", { content: null })])], [tool("a", "")]],
    ["a failure", [after([result("toolu_a", { content: "R", is_error: true })])], [tool("a", "Error: R")]],
    ["a failure without words", [after([result("toolu_a", { is_error: true })])], [tool("a", "Error: ")]],
    [
      "before the user's words",
      [after([text("So?"), result("toolu_a", { content: "R" })])],
      [tool("a", "R"), after("So?")],
    ],
    [
      "in two messages",
      [after([result("toolu_a", { content: "R" })]), after([text("And"), result("toolu_b", { content: "S" })])],
      [tool("a", "R"), tool("b", "S"), after("And")],
    ],
    [
      "an image",
      [after([result("toolu_a", { content: [text("R"), png] }), text("So?")])],
      [tool("a", "R"), after([PNG, text("So?")])],
    ],
    [
      "images of several",
      [after([result("toolu_a", { content: [png] }), result("toolu_z", { content: [png] })])],
      [tool("a", ""), tool("z", ""), after([text("From the result of f:"), PNG, text("From the result of z:"), PNG])],
    ],
    [
      "other content",
      [
        after([
          result("toolu_a", {
            content: [
              { type: "search_result", source: "u", title: "T", content: [text("R")] },
              { type: "document", title: "D", source: { type: "text", data: "S" } },
              { type: "tool_reference", tool_name: "g" },
            ],
          }),
        ]),
      ],
      [tool("a", "Title: T\nSource: u\n\nR\nDocument: D\n\nS\nTool: g")],
    ],
    ["of a call that nobody made", [after([result("toolu_z", { content: "R" })])], [tool("z", "R")]],
    ["then a system message", [after([result("toolu_a", { content: "R" })]), system], [tool("a", `R\n\n${reminder}`)]],
    ["none, then a system message", [after([result("toolu_a")]), system], [tool("a", reminder)]],
    [
      "a system message before them",
      [system, after([result("toolu_a", { content: "R" }), result("toolu_b", { content: "S" })])],
      [tool("a", "R"), tool("b", `S\n\n${reminder}`)],
    ],
    [
      "a system message and the user's words",
      [after([result("toolu_a", { content: "R" }), text("So?")]), system],
      [tool("a", "R"), after(`So?\n${reminder}`)],
    ],
  ];
  test.each(rows)("%s", (_, sent, expected) => {
    const calls = { role: "assistant", content: [use("toolu_a"), use("toolu_b")] };
    expect(messagesOf([ask, calls, ...sent])).toEqual([ask, CALLS, ...expected]);
  });
});
