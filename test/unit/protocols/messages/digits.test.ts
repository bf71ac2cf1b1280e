/** Numbers that JavaScript cannot hold pass digit for digit, on the way there and back. */
import { expect, test } from "vitest";
import { readCount } from "../../../../src/protocols/messages/count.ts";
import { readMessages } from "../../../../src/protocols/messages/read.ts";
import { writeWholeMessage } from "../../../../src/protocols/messages/whole.ts";
import { readJson } from "../../../../src/protocols/read-json.ts";
import { callParts, wholeCall } from "../../../support/replay.ts";

const LONG = "12345678901234567890";

/** Returns what the origin is sent for a request that holds `extra` beside what it needs. */
function forwarded(extra: string, messages = '[{"role":"user","content":"Hi"}]'): string {
  const text = `{"model":"m","max_tokens":5,"messages":${messages}${extra}}`;
  return readMessages(readJson(text), callParts()).forward("m");
}

const HISTORY = `[{"role":"user","content":"Pay."},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"pay",
"input":{"account":9007199254740993,"amounts":[${LONG},-${LONG},1.5]}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}]`;

test("in the input of a call that is sent back", () => {
  const sent = String.raw`"arguments":"{\"account\":9007199254740993,\"amounts\":[${LONG},-${LONG},1.5]}"`;
  expect(forwarded("", HISTORY)).toContain(sent);
  const count = readCount(readJson(`{"model":"m","messages":${HISTORY}}`));
  expect(wholeCall(count).forward("m")).toContain(sent);
});

test.for([
  ["a seed", ',"seed":9223372036854775807'],
  ["a priority", ',"priority":-9223372036854775808'],
  ["fields of vLLM's own", `,"vllm_xargs":{"a":${LONG}}`],
] as const)("in %s", ([, member]) => {
  expect(forwarded(member)).toContain(member);
});

test("in a tool's schema", () => {
  const schema = `{"type":"object","properties":{"n":{"type":"integer","maximum":${LONG}}}}`;
  expect(forwarded(`,"tools":[{"name":"f","input_schema":${schema}}]`)).toContain(`"parameters":${schema}`);
});

test("and the rules for numbers still hold", () => {
  expect(() => forwarded(`,"seed":${LONG}0`)).toThrow('"seed" must be a whole number of 64 bits.');
  expect(() => forwarded(`,"top_k":-${LONG}`)).toThrow('"top_k" must be a whole number, -1 or more.');
});

test("in the input of a call in a whole answer, which is as the model wrote it", () => {
  const input = `{"id": ${LONG},"amt":1.10,"m":{"2":"b","1":"a"},"deep":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  const usage = {
    prompt: 1,
    completion: 2,
    cached: undefined,
    written: undefined,
    reasoning: undefined,
    estimated: false,
  };
  const json = writeWholeMessage(
    {
      parts: [{ type: "tool_call", id: "c", name: "f", arguments: input }],
      finish: { type: "finish", reason: "tool_calls", stopText: undefined },
      usage,
    },
    { id: "msg_1", model: "m", stopSequences: [], omitsThinking: false },
  );
  expect(json).toContain(
    `"content":[{"type":"tool_use","id":"toolu_c","name":"f","input":${input},"caller":{"type":"direct"}}]`,
  );
});
