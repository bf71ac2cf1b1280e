/** Why each choice of a stream ended, for the log: what the client was told, in the order of the choices. */
import { expect, test } from "vitest";
import { readStream } from "../../support/chat-replay.ts";

function chunk(...choices: readonly object[]): string {
  return JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 5, model: "m", choices });
}

/** The finish reasons after `frames` of an answer with two choices. */
function reasons(...frames: readonly string[]): readonly string[] | undefined {
  const answer = readStream('{"model":"m","messages":[{"role":"user","content":"x"}],"stream":true,"n":2}').answer();
  for (const data of frames) answer.push({ data, bytes: undefined, unterminated: false });
  return answer.finishReasons;
}

const START = chunk(
  { index: 0, delta: { role: "assistant", content: "a" } },
  { index: 1, delta: { role: "assistant", content: "b" } },
);
const CALL = { index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
const end = (index: number, finish: string): string => chunk({ index, delta: {}, finish_reason: finish });

test("there are none before a choice has finished", () => {
  expect(reasons()).toEqual([]);
  expect(reasons(START)).toEqual([]);
});

test("they stand in the order of the choices, not of their ends", () => {
  expect(reasons(START, end(1, "length"))).toEqual(["length"]);
  expect(reasons(START, end(1, "length"), end(0, "stop"))).toEqual(["stop", "length"]);
});

test("one that is repaired, injected or repeated counts once, as the client got it", () => {
  const called = chunk({ index: 0, delta: { tool_calls: [CALL] } });
  expect(reasons(START, called, end(0, "stop"), end(0, "length"), "[DONE]")).toEqual(["tool_calls", "stop"]);
});

test("a choice that failed has none", () => {
  expect(reasons(START, end(0, "stop"), end(1, "abort"))).toEqual(["stop"]);
});
