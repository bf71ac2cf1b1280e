/** Whose turn it is: roles, their order, and what becomes of each block that is not a tool's. */
import { describe, expect, test } from "vitest";
import { chatOf, messagesOf } from "./translate.ts";

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const system = (content: unknown) => ({ role: "system", content });
const text = (said: string) => ({ type: "text", text: said });
const document = (source: object, more: object = {}) => ({ type: "document", source, ...more });
const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } };
const PNG = { type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } };

describe("system", () => {
  const attribution = "x-anthropic-billing-header: cc_version=2.1; cch=1a2b3;";
  const rows: [string, unknown, string | undefined][] = [
    ["a string", "Be kind.", "Be kind."],
    ["blocks", [{ ...text("A"), cache_control: { type: "ephemeral", ttl: "1h" } }, text(""), text("B")], "A\n\nB"],
    ["the attribution block", [text(attribution), text("You are Claude Code.")], "You are Claude Code."],
    ["the attribution block elsewhere", [text("A"), text(attribution), text("B")], "A\n\nB"],
    ["the attribution line of a string", `${attribution}\nBe kind.\nAnd brief.`, "Be kind.\nAnd brief."],
    ["the attribution line alone", attribution, undefined],
    ["an empty string", "", undefined],
    ["no blocks", [], undefined],
    ["null", null, undefined],
  ];
  test.each(rows)("%s", (_, prompt, expected) => {
    const head = expected === undefined ? [] : [system(expected)];
    expect(messagesOf([user("hi")], { system: prompt })).toEqual([...head, user("hi")]);
  });
});

describe("roles", () => {
  const rows: [string, unknown[], unknown[]][] = [
    ["by turns", [user("a"), assistant("b"), user("c")], [user("a"), assistant("b"), user("c")]],
    ["a user twice", [user("a"), user([text("b")])], [user("a\nb")]],
    [
      "the assistant twice",
      [user("a"), assistant("b"), assistant("c"), user("d")],
      [user("a"), assistant("b\nc"), user("d")],
    ],
    ["a system message at the head", [system("s"), system([text("t")]), user("a")], [system("s\n\nt"), user("a")]],
    [
      "a system message on the way",
      [user("a"), assistant("b"), system("s"), user("c")],
      [user("a"), assistant("b"), user("<system-reminder>\ns\n</system-reminder>\nc")],
    ],
    [
      "a system message at the end",
      [user("a"), system([text("s"), text("t")])],
      [user("a\n<system-reminder>\ns\n\nt\n</system-reminder>")],
    ],
    ["a system message that changes tools", [user("a"), system([{ type: "tool_addition", tool: {} }])], [user("a")]],
    ["a system message without content", [user("a"), { role: "system", clear_at: "x" }], [user("a")]],
    ["a system message of attribution", [user("a"), system("x-anthropic-billing-header: x")], [user("a")]],
  ];
  test.each(rows)("%s", (_, sent, expected) => {
    expect(messagesOf(sent)).toEqual(expected);
  });

  test("a system message at the head comes after the system prompt", () => {
    expect(messagesOf([system("t"), user("a")], { system: "s" })).toEqual([system("s\n\nt"), user("a")]);
  });
});

describe("the beginning of an answer", () => {
  test("is gone on with, as it is", () => {
    expect(chatOf({ messages: [user("a"), assistant("{ ")] })).toEqual({
      messages: [user("a"), assistant("{ ")],
      add_generation_prompt: false,
      continue_final_message: true,
    });
  });
  test("that is empty is none", () => {
    expect(chatOf({ messages: [user("a"), assistant("")] })).toEqual({ messages: [user("a")] });
    expect(chatOf({ messages: [user("a"), assistant([{ type: "redacted_thinking", data: "x" }])] })).toEqual({
      messages: [user("a")],
    });
  });
});

describe("blocks of a user", () => {
  const rows: [string, unknown, unknown][] = [
    ["text", [{ ...text("a"), citations: null, cache_control: { type: "ephemeral" } }], "a"],
    ["texts", [text("a"), text(""), text("b")], "a\nb"],
    ["nothing", [], ""],
    ["an empty text", [text("")], ""],
    ["an image in base64", [text("see"), png], [text("see"), PNG]],
    [
      "an image's address",
      [{ type: "image", source: { type: "url", url: "https://a.example/b.png" } }],
      [{ type: "image_url", image_url: { url: "https://a.example/b.png" } }],
    ],
    ["a document of text", [document({ type: "text", media_type: "text/plain", data: "D" }), text("a")], "D\na"],
    [
      "a document with title and context",
      [document({ type: "text", data: "D" }, { title: "T", context: "C", citations: { enabled: true } })],
      "Document: T\nContext: C\n\nD",
    ],
    ["a document of a string", [document({ type: "content", content: "D" }, { title: null })], "D"],
    [
      "a document of blocks",
      [document({ type: "content", content: [text("D"), png, text("E")] }, { title: "T" })],
      [text("Document: T\n\nD\nE"), PNG],
    ],
    [
      "a search result",
      [
        {
          type: "search_result",
          source: "https://a.example",
          title: "T",
          content: [text("R"), text("S")],
          citations: {},
        },
      ],
      "Title: T\nSource: https://a.example\n\nR\nS",
    ],
    ["a tool reference", [{ type: "tool_reference", tool_name: "f" }], "Tool: f"],
    ["an upload", [{ type: "container_upload", file_id: "f" }, text("a")], "a"],
  ];
  test.each(rows)("%s", (_, sent, expected) => {
    expect(messagesOf([user(sent)])).toEqual([user(expected)]);
  });
});

describe("blocks of the assistant", () => {
  const rows: [string, unknown[], object][] = [
    ["texts that a citation parted", [text("It is "), text("blue"), text(".")], assistant("It is blue.")],
    [
      "thinking",
      [{ type: "thinking", thinking: "hm", signature: "anything" }, text("a")],
      { ...assistant("a"), reasoning: "hm" },
    ],
    [
      "thinking twice",
      [{ type: "thinking", thinking: "hm" }, text("a"), { type: "thinking", thinking: "so" }, text("b")],
      { ...assistant("a\nb"), reasoning: "hm\nso" },
    ],
    ["thinking that was omitted", [{ type: "thinking", thinking: "", signature: "s" }, text("a")], assistant("a")],
    ["redacted thinking", [{ type: "redacted_thinking", data: "x" }, text("a")], assistant("a")],
    ["redacted thinking alone", [{ type: "redacted_thinking", data: "x" }], assistant("")],
    [
      "a server's tool and what it found",
      [
        text("Look:"),
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "srvtoolu_1",
          content: [{ type: "web_search_result", title: "T", url: "https://a.example", encrypted_content: "x" }],
        },
        text("There."),
      ],
      assistant("Look:\nResult of a tool (web_search):\nT\nhttps://a.example\nThere."),
    ],
    [
      "a program's output",
      [{ type: "code_execution_tool_result", content: { type: "code_execution_result", stdout: "4", stderr: "" } }],
      assistant("Result of a tool (code_execution):\n4"),
    ],
    [
      "an MCP server's tool",
      [
        { type: "mcp_tool_use", id: "i", name: "f", input: {} },
        { type: "mcp_tool_result", content: [text("R")] },
      ],
      assistant("Result of a tool (mcp):\nR"),
    ],
    ["a failed search", [{ type: "web_fetch_tool_result", content: { error_code: "x" } }, text("a")], assistant("a")],
    ["a summary", [{ type: "compaction", content: "So far: all." }, text("a")], assistant("So far: all.\na")],
  ];
  test.each(rows)("%s", (_, sent, expected) => {
    expect(messagesOf([user("q"), assistant(sent), user("r")])).toEqual([user("q"), expected, user("r")]);
  });
});
