/** The chunks of a chat stream: envelope, choices, riders, and what is not touched. */
import { describe, expect, test } from "vitest";
import { chatRepair, repairStream } from "../../../support/chat-machines.ts";

const ENVELOPE = { id: "c", object: "chat.completion.chunk", created: 5, model: "m" };
const ASKED = { usage: { final: true, continuous: false } };
const USAGE = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } };

const role = (index = 0) => ({ choices: [{ index, delta: { role: "assistant", content: "" } }] });
const text = (content: string, index = 0) => ({ choices: [{ index, delta: { content } }] });
const finish = (index = 0) => ({ choices: [{ index, delta: {}, finish_reason: "stop" }] });

/** Returns whether each chunk leaves as the bytes that came. */
function untouched(chunks: readonly object[], parts = ASKED as Parameters<typeof chatRepair>[0]): boolean[] {
  const repair = chatRepair(parts);
  return chunks.map((chunk) => {
    const json = { ...ENVELOPE, ...chunk };
    const bytes = new Uint8Array(1);
    const [output, ...others] = repair.push({ json, bytes });
    return (
      output !== undefined && "bytes" in output && output.bytes === bytes && output.json === json && others.length === 0
    );
  });
}

function say(delta: object, more: object = {}) {
  return { choices: [{ index: 0, delta, ...more, finish_reason: null }] };
}

describe("a chunk that is right", () => {
  test("leaves as the bytes that came", () => {
    const call = { index: 0, id: "i", type: "function", function: { name: "f", arguments: "{}" } };
    const chunks = [
      role(),
      text("a"),
      { choices: [{ index: 0, delta: { tool_calls: [call] } }], x: 1 },
      { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
      USAGE,
    ];
    expect(untouched(chunks)).toEqual([true, true, true, true, true]);
    expect(untouched([role(), finish(), text("late")])).toEqual([true, true, false]);
    const printed = [role(), role(), text("a"), text("b")].map((chunk) => ({ ...chunk, system_fingerprint: "fp" }));
    expect(untouched(printed)).toEqual([true, false, false, true]);
  });

  test("does not where anything is changed", () => {
    const wrong = [
      { ...text("a"), id: "d" },
      { ...text("a"), created: 6 },
      { ...text("a"), model: "n" },
      { ...text("a"), object: "text_completion" },
      { ...text("a"), usage: USAGE.usage },
      { choices: [null, { index: 0, delta: { content: "a" } }] },
      { choices: [{ index: 0, delta: { reasoning: "a" } }] },
    ];
    expect(untouched([role(), ...wrong])).toEqual([true, ...wrong.map(() => false)]);
  });
});

describe("choices", () => {
  test("that share a chunk get one each", () => {
    const came = { choices: [...role().choices, ...role(1).choices], x: 1, system_fingerprint: "fp" };
    const { sent } = repairStream([came, { choices: [...finish().choices, ...finish(1).choices] }], { choices: 2 });
    expect(sent).toEqual([{ ...role(), x: 1 }, { ...role(1), system_fingerprint: "fp" }, finish(), finish(1)]);
  });

  test("that nobody asked for are dropped, and make no answer", () => {
    const { sent } = repairStream([
      role(),
      role(1),
      text("a", 1),
      text("b"),
      { choices: [...text("c").choices, ...text("d", 7).choices] },
      finish(),
    ]);
    expect(sent).toEqual([role(), text("b"), text("c"), finish()]);
    expect(repairStream([role(3)]).sent).toEqual(["origin_protocol"]);
  });

  test("may have an index that is text", () => {
    const came = [{ choices: [{ index: "1", delta: { role: "assistant", content: "a" } }] }, finish(1), finish()];
    expect(repairStream(came, { choices: 2 }).sent[0]).toEqual({
      choices: [{ index: 1, delta: { role: "assistant", content: "a" }, finish_reason: null }],
    });
  });

  test("that fail come after what the others say", () => {
    const came = { choices: [{ index: 0, delta: {}, finish_reason: "abort" }, ...text("b", 1).choices] };
    expect(repairStream([role(), role(1), came], { choices: 2 }, "nothing").sent).toEqual([
      role(),
      role(1),
      text("b", 1),
      "origin_error",
    ]);
  });

  test("say function_call deltas as a tool call", () => {
    const came = [
      say({ role: "assistant", content: null, function_call: { name: "f", arguments: "" } }),
      say({ role: "assistant", content: null, function_call: { arguments: "{}" } }),
      { choices: [{ index: 0, delta: {}, finish_reason: "function_call" }] },
    ];
    const entry = { index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } };
    expect(repairStream(came).sent).toEqual([
      say({ role: "assistant", content: null }),
      say({ tool_calls: [entry] }, { logprobs: null }),
      say({ content: null, tool_calls: [{ index: 0, function: { arguments: "{}" } }] }),
      { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    ]);
  });
});
