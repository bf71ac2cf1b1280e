import { expect, test } from "vitest";
import { readChat } from "../../../../src/protocols/chat/read.ts";
import { readJson } from "../../../../src/protocols/read-json.ts";
import { callParts } from "../../../support/replay.ts";

function forwarded(body: string): string {
  return readChat(readJson(body), callParts()).forward("m");
}

test("reasoning that comes back under both of its names goes on under one, and nothing else is touched", () => {
  expect(
    forwarded(
      `{"model":"m","seed":9223372036854775807,"messages": [ {"role":"user", "content":"a, [b] \\"c\\""} ,
        {"role":"assistant","content":"d","reasoning":"hm","n":1.0,"reasoning_content":"hm"},
        {"role":"assistant","content":"e","reasoning_content":"so"},{"role":"user","content":"f"}],"n":1}`,
    ),
  ).toBe(
    `{"model":"m","seed":9223372036854775807,"messages": [{"role":"user", "content":"a, [b] \\"c\\""},{"role":"assistant","content":"d","reasoning":"hm","n":1.0},{"role":"assistant","content":"e","reasoning_content":"so"},{"role":"user","content":"f"}],"n":1}`,
  );
});

test.each([
  [`"reasoning":null,"reasoning_content":"hm"`, `"reasoning":"hm"`],
  [`"reasoning":"","reasoning_content":"hm"`, `"reasoning":"hm"`],
  [`"reasoning":"hm","reasoning_content":null`, `"reasoning":"hm"`],
  [`"reasoning":null,"reasoning_content":null`, `"reasoning":null`],
])("of %s goes on what says something", (sent, kept) => {
  expect(forwarded(conversation(sent))).toBe(conversation(kept));
});

test("a body in which no message has both is the client's, byte for byte", () => {
  const body = `{ "model": "m", "messages" : [ {"role":"assistant","content":"b", "reasoning":"hm"} , {"role":"user","content":"c"} ] }`;
  expect(forwarded(body)).toBe(body);
});

function conversation(reasoning: string): string {
  return `{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b",${reasoning}},{"role":"user","content":"c"}]}`;
}
