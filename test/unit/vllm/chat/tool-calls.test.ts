/** Tool calls in one strict form, whatever the fragments look like. */
import { describe, expect, test } from "vitest";
import { toolEntries } from "../../../support/chat-machines.ts";

const fragment = (index: unknown, name?: string, args?: unknown, more: object = {}) => ({
  ...(index !== undefined && { index }),
  ...more,
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
});

/** The two strict forms that may leave. */
const start = (index: number, id: string, name: string, args: string) => ({
  index,
  id,
  type: "function",
  function: { name, arguments: args },
});
const tail = (index: number, args: string) => ({ index, function: { arguments: args } });

const FIRST = { id: "i", type: "function" };

describe("one call", () => {
  const rows: [string, unknown[], unknown[]][] = [
    [
      "as OpenAI sends it",
      [start(0, "i", "f", ""), tail(0, "{"), tail(0, "}")],
      [start(0, "i", "f", ""), tail(0, "{"), tail(0, "}")],
    ],
    [
      "as vLLM sends it, without arguments at first",
      [fragment(0, "f", undefined, FIRST), tail(0, "{}")],
      [start(0, "i", "f", ""), tail(0, "{}")],
    ],
    ["whole", [start(0, "i", "f", "{}")], [start(0, "i", "f", "{}")]],
    [
      "without an index",
      [fragment(undefined, "f", "{", FIRST), fragment(undefined, undefined, "}")],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    [
      "with an index only at first",
      [start(0, "i", "f", "{"), fragment(undefined, undefined, "}")],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    [
      "with an index only later",
      [fragment(undefined, "f", "{", FIRST), tail(0, "}")],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    [
      "with an index of null",
      [fragment(null, "f", "{", FIRST), fragment(null, undefined, "}")],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    [
      "with an index that is text",
      [fragment("0", "f", "{", FIRST), fragment("0", undefined, "}")],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    [
      "with an index that does not count from 0",
      [start(7, "i", "f", "{"), tail(7, "}")],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    [
      "without an id",
      [fragment(0, "f", "{", { type: "function" }), tail(0, "}")],
      [start(0, "call_1", "f", "{"), tail(0, "}")],
    ],
    [
      "with an empty id",
      [fragment(0, "f", "{", { id: "", type: "function" }), fragment(0, undefined, "}", { id: "" })],
      [start(0, "call_1", "f", "{"), tail(0, "}")],
    ],
    [
      "with its id on every fragment",
      [start(0, "i", "f", "{"), fragment(0, undefined, "}", { id: "i" })],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    [
      "with its id too late",
      [fragment(0, "f", "{"), fragment(0, undefined, "}", { id: "i" })],
      [start(0, "call_1", "f", "{"), tail(0, "}")],
    ],
    [
      "with another id on every fragment",
      [start(0, "i", "f", "{"), fragment(0, undefined, "}", { id: "j" })],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    [
      "with its name on every fragment",
      [start(0, "i", "f", "{"), fragment(0, "f", "}")],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    ["with its name again after the end", [start(0, "i", "f", "{}"), fragment(0, "f", "")], [start(0, "i", "f", "{}")]],
    [
      "with id, type and name on every fragment",
      [start(0, "i", "f", "{"), start(0, "i", "f", "}")],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    ["without a type", [fragment(0, "f", "{}", { id: "i" })], [start(0, "i", "f", "{}")]],
    ["with a type of its own", [fragment(0, "f", "{}", { id: "i", type: "tool" })], [start(0, "i", "f", "{}")]],
    [
      "with its name too late",
      [fragment(0, undefined, "{", FIRST), tail(0, '"a":'), fragment(0, "f", "1}")],
      [start(0, "i", "f", "{"), tail(0, '"a":'), tail(0, "1}")],
    ],
    [
      "with id and name too late",
      [tail(0, "{"), fragment(0, "f", "}", FIRST)],
      [start(0, "i", "f", "{"), tail(0, "}")],
    ],
    [
      "with its name too late and without an index",
      [fragment(undefined, undefined, "{"), fragment(undefined, "f", "}")],
      [start(0, "call_1", "f", "{"), tail(0, "}")],
    ],
    [
      "with arguments that are an object",
      [fragment(0, "f", { a: [1, "é"] }, FIRST)],
      [start(0, "i", "f", '{"a":[1,"é"]}')],
    ],
    [
      "with arguments that are null",
      [fragment(0, "f", null, FIRST), fragment(0, undefined, null), tail(0, "{}")],
      [start(0, "i", "f", ""), tail(0, "{}")],
    ],
    ["without arguments", [fragment(0, "f", undefined, FIRST)], [start(0, "i", "f", ""), tail(0, "{}")]],
    [
      "with empty arguments",
      [start(0, "i", "f", ""), tail(0, "")],
      [start(0, "i", "f", ""), tail(0, ""), tail(0, "{}")],
    ],
    [
      "with nothing but white space for arguments",
      [start(0, "i", "f", "\n")],
      [start(0, "i", "f", "\n"), tail(0, "{}")],
    ],
    ["with broken arguments", [start(0, "i", "f", '{"a')], [start(0, "i", "f", '{"a')]],
    [
      "with a function of null",
      [{ index: 0, ...FIRST, function: null }, fragment(0, "f", "{}")],
      [start(0, "i", "f", ""), tail(0, "{}")],
    ],
    ["beside what is no call", [null, start(0, "i", "f", "{}")], [start(0, "i", "f", "{}")]],
  ];
  test.each(rows)("%s", (_, came, sent) => {
    expect(toolEntries(came.map((entry) => [entry]))).toEqual(sent);
    expect(toolEntries([came])).toEqual(sent);
  });

  test("keeps fields that nobody knows, on its start and later", () => {
    const came = [
      { ...start(0, "i", "f", ""), x: 1, function: { name: "f", y: 2 } },
      { index: 0, x: 3, function: { y: 4 } },
      { index: 0, id: "i", function: { arguments: "{}", y: 5 } },
    ];
    expect(toolEntries([came])).toEqual([
      { ...start(0, "i", "f", ""), x: 1, function: { name: "f", y: 2, arguments: "" } },
      { index: 0, x: 3, function: { y: 4, arguments: "" } },
      { index: 0, function: { arguments: "{}", y: 5 } },
    ]);
  });

  test("in strict form is returned itself", () => {
    const came = [start(0, "i", "f", ""), tail(0, "{"), tail(0, "}")];
    const sent = toolEntries(came.map((entry) => [entry]));
    expect(sent.every((entry, at) => entry === came[at])).toBe(true);
  });
});

describe("a call that begins a second time", () => {
  const first = start(0, "i", "f", "{}");
  const rows: [string, unknown, unknown][] = [
    ["with the same index, another id and another name", start(0, "j", "g", "{}"), start(1, "j", "g", "{}")],
    ["with the same index, another id and the same name", start(0, "j", "f", "{}"), start(1, "j", "f", "{}")],
    ["with the same index and another id, its arguments to follow", start(0, "j", "f", ""), start(1, "j", "f", "")],
    ["with the same index and another name", fragment(0, "g", "{}"), start(1, "call_1", "g", "{}")],
    ["with the same index and name, and more arguments", fragment(0, "f", "{}"), start(1, "call_1", "f", "{}")],
    ["without an index, with another id", fragment(undefined, "f", "{}", { id: "j" }), start(1, "j", "f", "{}")],
    ["without index and id, with the same name", fragment(undefined, "f", "{}"), start(1, "call_1", "f", "{}")],
    ["with the same id under another index", start(1, "i", "f", "{}"), start(1, "i", "f", "{}")],
  ];
  test.each(rows)("%s, is another one", (_, came, sent) => {
    const [one, two] = toolEntries([[first], [came]]);
    expect([one, two]).toEqual([first, sent]);
  });

  test("legacy function_call deltas without an index go on with the last", () => {
    expect(toolEntries([[{ index: 0, function: { name: "f", arguments: "" } }], [tail(0, "{}")]])).toEqual([
      start(0, "call_1", "f", ""),
      tail(0, "{}"),
    ]);
  });
});
