/** What becomes of the deltas of one choice: its role, its reasoning, its text and what nobody knows. */
import { describe, expect, test } from "vitest";
import { chatChoice, deltasOf } from "../../../support/chat-machines.ts";

const ROLE = { role: "assistant", content: "" };

function opens(choice: object): boolean {
  return chatChoice().opensOnly({ index: 0, ...choice });
}

function started() {
  const choice = chatChoice();
  choice.push({ index: 0, delta: ROLE });
  return choice;
}

describe("the role", () => {
  const rows: [string, unknown[], unknown[]][] = [
    ["once, alone", [ROLE, { content: "a" }], [ROLE, { content: "a" }]],
    [
      "without content, as Rust sends it",
      [{ role: "assistant" }, { content: "a" }],
      [{ role: "assistant" }, { content: "a" }],
    ],
    ["with the first text", [{ role: "assistant", content: "a" }], [{ role: "assistant", content: "a" }]],
    ["never", [{ content: "a" }], [ROLE, { content: "a" }]],
    ["too late, alone", [{ content: "a" }, ROLE, { content: "b" }], [ROLE, { content: "a" }, { content: "b" }]],
    ["too late, without content", [{ content: "a" }, { role: "assistant" }], [ROLE, { content: "a" }]],
    ["twice", [ROLE, ROLE, { content: "a" }], [ROLE, { content: "a" }]],
    [
      "on every delta",
      [
        { role: "assistant", content: "a" },
        { role: "assistant", content: "b" },
      ],
      [{ role: "assistant", content: "a" }, { content: "b" }],
    ],
    ["null", [{ role: null, content: "a" }], [ROLE, { role: null, content: "a" }]],
    ["before a delta that is null", [null, { content: "a" }], [ROLE, { content: "a" }]],
    ["before a delta that is missing", [undefined, { content: "a" }], [ROLE, { content: "a" }]],
    [
      "with reasoning",
      [{ role: "assistant", reasoning: "r" }],
      [{ role: "assistant", reasoning: "r", reasoning_content: "r" }],
    ],
  ];
  test.each(rows)("%s", (_, came, sent) => {
    expect(deltasOf(came)).toEqual(sent);
  });

  test("alone commits to nothing, and a word or anything that rides does", () => {
    expect(opens({ delta: ROLE, logprobs: null, finish_reason: null })).toBe(true);
    expect(opens({ delta: { role: "assistant" } })).toBe(true);
    expect(opens({ delta: null })).toBe(true);
    expect(opens({ delta: { ...ROLE, tool_calls: [] }, finish_reason: "" })).toBe(true);
    expect(opens({ delta: { content: "a" } })).toBe(false);
    expect(opens({ delta: { reasoning: "a" } })).toBe(false);
    expect(opens({ delta: { x: 1 } })).toBe(false);
    expect(opens({ delta: {}, token_ids: [1] })).toBe(false);
    expect(opens({ delta: {}, finish_reason: "stop" })).toBe(false);
  });
});

describe("reasoning", () => {
  const rows: [string, object, object][] = [
    ["under vLLM's key", { reasoning: "r" }, { reasoning: "r", reasoning_content: "r" }],
    ["under the older key", { reasoning_content: "r" }, { reasoning: "r", reasoning_content: "r" }],
    ["under both", { reasoning: "r", reasoning_content: "r" }, { reasoning: "r", reasoning_content: "r" }],
    ["beside a null", { reasoning: "r", reasoning_content: null }, { reasoning: "r", reasoning_content: "r" }],
    ["beside an empty one", { reasoning: "", reasoning_content: "r" }, { reasoning: "r", reasoning_content: "r" }],
    ["and a null before it", { reasoning: null, reasoning_content: "r" }, { reasoning: "r", reasoning_content: "r" }],
    ["of two minds", { reasoning: "r", reasoning_content: "s" }, { reasoning: "r", reasoning_content: "r" }],
    ["with text", { reasoning: "r", content: "a" }, { reasoning: "r", content: "a", reasoning_content: "r" }],
    ["null beside text", { reasoning: null, content: "a" }, { reasoning: null, content: "a" }],
    ["empty beside text", { reasoning: "", content: "a" }, { reasoning: "", content: "a" }],
  ];
  test.each(rows)("%s", (_, came, sent) => {
    expect(deltasOf([ROLE, came])).toEqual([ROLE, sent]);
  });
});

describe("a choice", () => {
  test.each([
    { index: 0, delta: { content: "a" } },
    { index: 0, delta: { content: "a" }, logprobs: null, finish_reason: null, token_ids: null },
    { index: 0, delta: {}, token_ids: [1] },
    { index: 0, delta: { content: "" }, finish_reason: null },
    { index: 0, delta: { x_delta: [1] }, x_choice: { y: 1 } },
    { index: 0, delta: { content: null, tool_calls: [] } },
  ])("that is right as it is is returned itself: %j", (choice) => {
    expect(started().push(choice)).toEqual([choice]);
    expect(started().push(choice)[0]).toBe(choice);
  });

  const rows: [string, object, object[]][] = [
    [
      "a delta of null that carries ids",
      { index: 0, delta: null, token_ids: [1] },
      [{ index: 0, delta: {}, token_ids: [1], finish_reason: null }],
    ],
    ["a delta of null that carries nothing", { index: 0, delta: null, logprobs: null }, []],
    [
      "an empty reason",
      { index: 0, delta: { content: "a" }, finish_reason: "" },
      [{ index: 0, delta: { content: "a" }, finish_reason: null }],
    ],
    ["an empty reason and nothing else", { index: 0, delta: {}, finish_reason: "" }, []],
    [
      "a reason that is no text",
      { index: 0, delta: { content: "a" }, finish_reason: false },
      [{ index: 0, delta: { content: "a" }, finish_reason: null }],
    ],
    ["no index", { delta: { content: "a" } }, [{ index: 0, delta: { content: "a" }, finish_reason: null }]],
    [
      "a role again, with unknown fields at every level",
      { index: 0, delta: { role: "assistant", x_delta: 1 }, x_choice: 2, logprobs: { content: [] } },
      [{ index: 0, delta: { x_delta: 1 }, x_choice: 2, logprobs: { content: [] }, finish_reason: null }],
    ],
  ];
  test.each(rows)("that holds %s", (_, came, sent) => {
    expect(started().push({ ...came })).toEqual(sent);
  });

  test("counts the characters of all that it says", () => {
    const choice = chatChoice();
    const call = { index: 0, id: "i", type: "function", function: { name: "f", arguments: "{}" } };
    choice.push({ index: 0, delta: { role: "assistant", content: "ab", reasoning: "cde" } });
    choice.push({ index: 0, delta: { reasoning_content: "f", tool_calls: [call] } });
    expect(choice.textLength).toBe(8);
  });
});
