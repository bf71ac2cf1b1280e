/** How one choice finishes: once, in a chunk of its own that says nothing else. */
import { describe, expect, test } from "vitest";
import { chatChoice, show } from "../../../support/chat-machines.ts";

const ROLE = { role: "assistant", content: "" };
const CALL = { index: 0, id: "i", type: "function", function: { name: "f", arguments: "{" } };
const TAIL = { index: 0, function: { arguments: "}" } };

/** Returns what becomes of `last` after the role and then `before`. */
function finishing(last: object, ...before: object[]): unknown[] {
  const choice = chatChoice();
  for (const delta of [ROLE, ...before]) choice.push({ index: 0, delta });
  return choice.push({ index: 0, ...last }).map(show);
}

const made = (delta: object, reason: string | null = null, more: object = {}) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason: reason,
  ...more,
});

function stopping(delta: object): unknown[] {
  return chatChoice().push({ index: 0, delta, finish_reason: "stop" });
}

describe("a finish", () => {
  test.each([
    { delta: {}, finish_reason: "stop" },
    { delta: {}, logprobs: null, finish_reason: "length", stop_reason: null, token_ids: null },
    { delta: {}, finish_reason: "stop", token_ids: [2], stop_reason: 7 },
    { delta: {}, finish_reason: "stop", logprobs: { content: [{ token: "a" }] } },
    { delta: { content: "" }, finish_reason: "stop" },
    { delta: { content: null, reasoning: null }, finish_reason: "content_filter" },
    { delta: {}, finish_reason: "repetition" },
    { delta: {}, finish_reason: "a word nobody knows" },
  ])("that says nothing else stays as it is: %j", (last) => {
    expect(finishing(last, { content: "a" })).toEqual([{ index: 0, ...last }]);
  });

  const rows: [string, object, unknown[]][] = [
    [
      "with text",
      {
        delta: { content: "a" },
        logprobs: { content: [1] },
        finish_reason: "stop",
        stop_reason: "END",
        token_ids: [1],
        x: 1,
      },
      [
        { index: 0, delta: { content: "a" }, logprobs: { content: [1] }, finish_reason: null, token_ids: [1], x: 1 },
        made({}, "stop", { stop_reason: "END" }),
      ],
    ],
    [
      "with reasoning",
      { delta: { reasoning: "r" }, finish_reason: "length" },
      [{ index: 0, delta: { reasoning: "r", reasoning_content: "r" }, finish_reason: null }, made({}, "length")],
    ],
    [
      "with a role and text",
      { delta: { role: "assistant", content: "a" }, finish_reason: "stop" },
      [{ index: 0, delta: { content: "a" }, finish_reason: null }, made({}, "stop")],
    ],
    [
      "with a role and nothing",
      { delta: ROLE, finish_reason: "stop" },
      [{ index: 0, delta: {}, finish_reason: "stop" }],
    ],
    ["without a delta", { finish_reason: "stop" }, [{ index: 0, delta: {}, finish_reason: "stop" }]],
    ["with a delta of null", { delta: null, finish_reason: "stop" }, [{ index: 0, delta: {}, finish_reason: "stop" }]],
    [
      "with a whole call",
      { delta: { tool_calls: [{ ...CALL, function: { name: "f", arguments: "{}" } }] }, finish_reason: "stop" },
      [
        {
          index: 0,
          delta: { tool_calls: [{ ...CALL, function: { name: "f", arguments: "{}" } }] },
          finish_reason: null,
        },
        made({}, "tool_calls"),
      ],
    ],
    [
      "with two calls and text",
      {
        delta: {
          content: "a",
          tool_calls: [
            { ...CALL, function: { name: "f", arguments: "{}" } },
            { ...CALL, index: 1, id: "j" },
          ],
        },
        finish_reason: "tool_calls",
        token_ids: [1],
      },
      [
        { index: 0, delta: { content: "a" }, finish_reason: null, token_ids: [1] },
        made({ tool_calls: [{ ...CALL, function: { name: "f", arguments: "{}" } }] }),
        made({ tool_calls: [{ ...CALL, index: 1, id: "j" }] }),
        made({}, "tool_calls"),
      ],
    ],
    ["that is an abort", { delta: {}, finish_reason: "abort" }, ["origin_error"]],
    [
      "that is an error, with text",
      { delta: { content: "a" }, finish_reason: "error" },
      [{ index: 0, delta: { content: "a" }, finish_reason: null }, "origin_error"],
    ],
  ];
  test.each(rows)("%s", (_, last, sent) => {
    expect(finishing(last)).toEqual(sent);
  });

  test("on the very first chunk follows the role", () => {
    expect(stopping({})).toEqual([made(ROLE), { index: 0, delta: {}, finish_reason: "stop" }]);
    expect(stopping(ROLE)).toEqual([{ index: 0, delta: ROLE, finish_reason: null }, made({}, "stop")]);
    expect(stopping({ role: "assistant", content: "a" })).toEqual([
      { index: 0, delta: { role: "assistant", content: "a" }, finish_reason: null },
      made({}, "stop"),
    ]);
  });

  test("is the last that a choice says", () => {
    const choice = chatChoice();
    choice.push({ index: 0, delta: ROLE, finish_reason: "stop" });
    expect(choice.phase).toBe("finished");
    expect(choice.push({ index: 0, delta: { content: "a" } })).toEqual([]);
    expect(choice.push({ index: 0, delta: {}, finish_reason: "stop" })).toEqual([]);
  });
});

describe("after a call", () => {
  test.each([
    ["stop", "tool_calls"],
    ["function_call", "tool_calls"],
    ["tool_calls", "tool_calls"],
    ["length", "length"],
    ["content_filter", "content_filter"],
  ])("%s is told as %s", (told, sent) => {
    const outputs = finishing({ delta: {}, finish_reason: told }, { tool_calls: [CALL] }, { tool_calls: [TAIL] });
    expect(outputs).toEqual([{ index: 0, delta: {}, finish_reason: sent }]);
  });

  test("its last fragment is split from the finish", () => {
    expect(finishing({ delta: { tool_calls: [TAIL] }, finish_reason: "stop" }, { tool_calls: [CALL] })).toEqual([
      { index: 0, delta: { tool_calls: [TAIL] }, finish_reason: null },
      made({}, "tool_calls"),
    ]);
  });

  const bare = { ...CALL, function: { name: "f", arguments: "" } };
  const braces = made({ tool_calls: [{ index: 0, function: { arguments: "{}" } }] });
  test.each([
    ["stop", [braces, { index: 0, delta: {}, finish_reason: "tool_calls" }]],
    ["tool_calls", [braces, { index: 0, delta: {}, finish_reason: "tool_calls" }]],
    ["length", [{ index: 0, delta: {}, finish_reason: "length" }]],
    ["abort", ["origin_error"]],
  ])("without arguments, %s", (reason, sent) => {
    expect(finishing({ delta: {}, finish_reason: reason }, { tool_calls: [bare] })).toEqual(sent);
  });
});

describe("a choice that the origin left without a finish", () => {
  test.each([
    ["stop", false, [{ content: "a" }]],
    ["length", true, [{ content: "a" }]],
    ["tool_calls", false, [{ tool_calls: [CALL] }]],
    ["tool_calls", true, [{ tool_calls: [CALL] }]],
  ] as const)("gets %s (at its limit: %s)", (reason, limited, deltas) => {
    const choice = chatChoice();
    for (const delta of [ROLE, ...deltas]) choice.push({ index: 0, delta });
    expect(choice.complete(limited)).toEqual([made({}, reason)]);
    expect(choice.phase).toBe("finished");
  });

  test("and without a start gets both", () => {
    expect(chatChoice().complete(false)).toEqual([made(ROLE), made({}, "stop")]);
  });

  test("gets what its calls still lack", () => {
    const choice = chatChoice();
    choice.push({ index: 0, delta: { ...ROLE, tool_calls: [{ index: 0, id: "i", function: { name: "f" } }] } });
    expect(choice.complete(false)).toEqual([
      made({ tool_calls: [{ index: 0, function: { arguments: "{}" } }] }),
      made({}, "tool_calls"),
    ]);
  });
});
