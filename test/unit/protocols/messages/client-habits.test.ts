/** What clients of this protocol make of it that its documentation does not tell. */
import { expect, test } from "vitest";
import type { GatewayError } from "../../../../src/core/errors.ts";
import { writeMessagesError } from "../../../../src/protocols/messages/error.ts";
import { readMessages } from "../../../../src/protocols/messages/read.ts";
import { readJson } from "../../../../src/protocols/read-json.ts";
import { SseParser } from "../../../../src/sse/parse.ts";
import { callParts } from "../../../support/replay.ts";

const ASKS = { model: "mine", max_tokens: 64, messages: [{ role: "user", content: "Say it." }], stream: true };

test("LangChain adds the tokens of both usages: the first tells none, also where they came with the first word", () => {
  const call = readMessages(readJson(JSON.stringify(ASKS)), callParts());
  if (call.kind !== "stream") throw new Error(call.kind);
  const details = { completion_tokens_details: { reasoning_tokens: 1 } };
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6, ...details };
  const chunk = { choices: [{ index: 0, delta: { reasoning: "Hm" }, finish_reason: null }], usage };
  const frames = new SseParser(1_000).push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
  const [, data] = frames
    .flatMap((frame) => (frame instanceof Error ? [] : call.answer().push(frame)))
    .map((output) => (output instanceof Uint8Array ? new TextDecoder().decode(output) : output.code))
    .join("")
    .split("\n");
  expect(JSON.parse(data?.slice("data: ".length) ?? "")).toMatchObject({
    type: "message_start",
    message: { usage: { input_tokens: 5, output_tokens: 0, output_tokens_details: { thinking_tokens: 0 } } },
  });
});

test("Anthropic's SDK goes on without a thread where the refusal says that there are none", () => {
  const error = refusalOf({ ...ASKS, thread: { type: "create" } });
  expect(JSON.parse(writeMessagesError(error, "req_1"))).toMatchObject({
    error: {
      type: "invalid_request_error",
      details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
    },
  });
  const other = JSON.parse(writeMessagesError(refusalOf({ ...ASKS, container: "one" }), "req_1"));
  expect(other.error).not.toHaveProperty("details");
});

function refusalOf(request: object): GatewayError {
  try {
    readMessages(readJson(JSON.stringify(request)), callParts());
  } catch (thrown) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what else it is fails the test
    return thrown as GatewayError;
  }
  throw new Error("It was not refused.");
}
