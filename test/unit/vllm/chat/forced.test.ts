/** Whether the model is told not to think where it has no choice of what to say. */
import { describe, expect, test } from "vitest";
import { editObject } from "../../../../src/core/json/edit.ts";
import { withoutThinkingWhenForced } from "../../../../src/vllm/chat/forced.ts";

/** The request as the origin gets it. */
function sent(request: string, thinking: boolean | undefined): string {
  return editObject(request, withoutThinkingWhenForced({ text: request, json: JSON.parse(request) }, thinking));
}

const FORCED = [
  '"tool_choice":"required"',
  '"tool_choice":{"type":"function","function":{"name":"f"}}',
  '"response_format":{"type":"json_object"}',
  '"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{}}}',
  '"structured_outputs":{"choice":["a","b"]}',
];
const FREE = [
  '"model":"m"',
  '"tool_choice":"auto"',
  '"tool_choice":"none"',
  '"tool_choice":null',
  '"response_format":{"type":"text"}',
  '"response_format":null',
  '"structured_outputs":null',
];

describe.each(FORCED)("with %s", (member) => {
  test("it is, where thinking is set to false", () => {
    expect(sent(`{${member}}`, false)).toBe(`{${member},"chat_template_kwargs":{"enable_thinking":false}}`);
  });

  test("it is not, where thinking is set to true or to nothing", () => {
    expect(sent(`{${member}}`, true)).toBe(`{${member}}`);
    expect(sent(`{${member}}`, undefined)).toBe(`{${member}}`);
  });

  test("it is not, where the client has said itself", () => {
    for (const said of ["true", "false", "null"]) {
      const request = `{${member},"chat_template_kwargs":{"enable_thinking":${said}}}`;
      expect(sent(request, false)).toBe(request);
    }
  });
});

test.each(FREE)("with %s nothing changes", (member) => {
  expect(sent(`{${member}}`, false)).toBe(`{${member}}`);
});

test("the client's other template arguments stay as they are, digit for digit", () => {
  expect(sent('{"tool_choice":"required","chat_template_kwargs":{ "seed": 9007199254740993, "x": 1.0 }}', false)).toBe(
    '{"tool_choice":"required","chat_template_kwargs":{ "seed": 9007199254740993, "x": 1.0,"enable_thinking":false }}',
  );
});

test("arguments of null are none", () => {
  expect(sent('{"tool_choice":"required","chat_template_kwargs":null}', false)).toBe(
    '{"tool_choice":"required","chat_template_kwargs":{"enable_thinking":false}}',
  );
});
