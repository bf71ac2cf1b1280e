/** Streams whose chunks are no chunks: what would be lost must not look like a whole answer. */
import { describe, expect, test } from "vitest";
import { chatRepair, repairStream } from "../../../support/chat-machines.ts";

const role = (index = 0) => ({ choices: [{ index, delta: { role: "assistant", content: "" } }] });
const text = (content: string, index = 0) => ({ choices: [{ index, delta: { content } }] });
const finish = (index = 0, reason = "stop") => ({ choices: [{ index, delta: {}, finish_reason: reason }] });
const say = (delta: unknown, index: unknown = 0) => ({ choices: [{ index, delta }] });

const phases = (chunks: readonly object[], choices = 1): string[] => {
  const repair = chatRepair({ choices });
  return chunks.map((json) => {
    repair.push({ json: { ...json }, bytes: undefined });
    return repair.phase;
  });
};

describe("what cannot be read", () => {
  test.each([
    ["choices that are an object", { choices: { "0": { index: 0, delta: { content: "LOST" } } } }],
    ["choices that are text", { choices: "LOST" }],
    ["choices that are false", { choices: false }],
    ["a choice that is text", { choices: ["LOST"] }],
    ["a choice that is a list", { choices: [[{ index: 0 }]] }],
    ["a delta that is text", say("LOST")],
    ["a delta that is a list", say([{ content: "LOST" }])],
    ["tool calls that are an object", say({ tool_calls: { "0": { index: 0, function: { name: "f" } } } })],
    ["a tool call that is text", say({ tool_calls: ["LOST"] })],
    ["a function that is text", say({ tool_calls: [{ index: 0, id: "i", function: "LOST" }] })],
    ["an index below 0", say({ content: "LOST" }, -1)],
    ["an index that is no whole number", say({ content: "LOST" }, 1.5)],
    ["an index that is a word", say({ content: "LOST" }, "x")],
    ["an index that is empty text", say({ content: "LOST" }, "")],
    ["an index that is true", say({ content: "LOST" }, true)],
    ["a call's index below 0", say({ tool_calls: [{ index: -1, function: { name: "f" } }] })],
    ["a call's index that is no whole number", say({ tool_calls: [{ index: 1.5, function: { name: "f" } }] })],
    ["a call's index that is half a number", say({ tool_calls: [{ index: "1x", function: { name: "f" } }] })],
  ])("ends the stream: %s", (_, came) => {
    expect(repairStream([role(), text("a"), came], {}, "nothing").sent).toEqual([role(), text("a"), "origin_protocol"]);
    const { sent, phase } = repairStream([came], {}, "nothing");
    expect(sent.at(-1)).toBe("origin_protocol");
    expect(phase).toBe("opening");
  });

  test.each([undefined, null, []])("is not what only says nothing: choices of %j", (choices) => {
    expect(repairStream([role(), { choices }, text("a"), finish()]).sent).toEqual([role(), text("a"), finish()]);
  });

  test("an index that is absent is 0, and digits count", () => {
    for (const index of [undefined, null, "0"]) {
      const { sent } = repairStream([role(), { choices: [{ index, delta: { content: "a" } }] }, finish()]);
      expect(sent[1]).toEqual({ choices: [{ index: 0, delta: { content: "a" }, finish_reason: null }] });
    }
    expect(repairStream([role(), role(1), say({ content: "a" }, "01"), finish()], { choices: 2 }).sent[2]).toEqual({
      choices: [{ index: 1, delta: { content: "a" }, finish_reason: null }],
    });
  });
});

describe("a failure in the first words", () => {
  test.each(["abort", "error"])("%s commits to nothing", (reason) => {
    expect(phases([finish(0, reason)])).toEqual(["opening"]);
    expect(phases([role(), finish(0, reason)])).toEqual(["opening", "opening"]);
    expect(phases([{ choices: [...role().choices, ...finish(1, reason).choices] }], 2)).toEqual(["opening"]);
  });

  test("does where a word stands before it", () => {
    expect(phases([{ choices: [{ index: 0, delta: { content: "a" }, finish_reason: "abort" }] }])).toEqual(["open"]);
    expect(phases([text("a"), finish(0, "abort")])).toEqual(["open", "open"]);
    expect(phases([{ choices: [...text("a").choices, ...finish(1, "abort").choices] }], 2)).toEqual(["open"]);
  });
});
