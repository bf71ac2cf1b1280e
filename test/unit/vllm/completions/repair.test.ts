/** The chunks of a completions stream: choices, finishes, usage and what is not touched. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/core/json/object.ts";
import { repairCompletions, type CompletionParts } from "../../../../src/vllm/completions/repair.ts";
import { openAIEnvelope } from "../../../../src/vllm/envelope.ts";
import { pushAll, type Sent } from "../../../support/operations.ts";

const ENVELOPE = { id: "c", object: "text_completion", created: 5, model: "m" };
const ASKED = { usage: { final: true, continuous: false } };
const ALONG = { usage: { final: true, continuous: true } };
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const say = (text: unknown, index: unknown = 0, more: object = {}) => ({
  ...ENVELOPE,
  choices: [{ index, text, ...more }],
});
const finish = (index = 0, reason = "stop", more: object = {}) => say("", index, { finish_reason: reason, ...more });
const usage = (value: unknown = USAGE, more: object = {}) => ({ ...ENVELOPE, choices: [], usage: value, ...more });
const injected = (reason: string, index = 0) => ({
  ...ENVELOPE,
  choices: [{ index, text: "", logprobs: null, finish_reason: reason }],
});

function repair(
  chunks: readonly JsonObject[],
  parts: Partial<CompletionParts> = {},
  end: "terminator" | "end" | "nothing" = "terminator",
): Sent {
  const machine = repairCompletions({
    envelope: openAIEnvelope({ object: "text_completion", id: "cmpl-ours", model: "m", created: 9 }),
    choices: 1,
    maxWaiting: 65_536,
    usage: { final: false, continuous: false },
    maxTokens: 16,
    promptLength: () => 40,
    ...parts,
  });
  return pushAll(machine, chunks, end);
}

const phase = (...chunks: readonly JsonObject[]) => repair(chunks, {}, "nothing").phase;

describe("a chunk that is right", () => {
  test("leaves as the bytes that came, unknown fields and empty texts too", () => {
    const came = [
      say("", 0, { token_ids: [], prompt_token_ids: [4, 5] }),
      say("Once upon a timeR", 0, { prompt_token_ids: [1, 2], x: 1 }),
      { ...say("a", 0, { logprobs: { tokens: ["a"] }, finish_reason: null, stop_reason: null }), y: 2 },
      say(""),
      finish(),
      usage(),
    ];
    const { sent, untouched } = repair(came, ASKED);
    expect(sent).toEqual(came);
    expect(untouched).toEqual(came.map(() => true));
  });

  test("stays so where the usage that is stripped tells nothing new", () => {
    const last = { ...finish(), system_fingerprint: "fp" };
    const { sent, untouched } = repair([say("a"), last, usage(USAGE, { system_fingerprint: "fp" })]);
    expect(sent).toEqual([say("a"), last]);
    expect(untouched).toEqual([true, true]);
  });

  test("gets the fingerprint of a usage that is stripped", () => {
    const { sent, untouched } = repair([say("a"), finish(), usage(USAGE, { system_fingerprint: "fp" })]);
    expect(sent).toEqual([say("a"), { ...finish(), system_fingerprint: "fp" }]);
    expect(untouched).toEqual([true, false]);
  });
});

describe("a chunk that is wrong", () => {
  test.each([
    ["a text that is null", say(null), say("")],
    ["no text", { ...ENVELOPE, choices: [{ index: 0 }] }, say("")],
    ["an index that is text", say("a", "0"), say("a")],
    ["no index", { ...ENVELOPE, choices: [{ text: "a" }] }, say("a")],
    ["a finish that is empty", say("a", 0, { finish_reason: "" }), say("a", 0, { finish_reason: null })],
    ["another id", { ...say("a"), id: "d" }, say("a")],
    ["another object", { ...say("a"), object: "chat.completion.chunk" }, say("a")],
    ["another model", { ...say("a"), model: "n" }, say("a")],
    ["usage that nobody asked for", { ...say("a"), usage: USAGE }, say("a")],
    ["usage of null that nobody asked for", { ...say("a"), usage: null }, say("a")],
  ])("for %s is mended", (_, came, sent) => {
    expect(repair([say("first"), came, finish()]).sent).toEqual([say("first"), sent, finish()]);
  });
});

describe("choices of several prompts", () => {
  test("interleave as they come, and each has its finish", () => {
    const came = [say("a"), say("b", 3), say("c", 1), finish(1), say("d", 2), finish(3), finish(), finish(2, "length")];
    expect(repair(came, { choices: 4 }).sent).toEqual(came);
  });

  test("share a chunk and get one each", () => {
    const came = { ...ENVELOPE, choices: [...say("a").choices, ...say("b", 1).choices], x: 1 };
    expect(repair([came, finish(), finish(1)], { choices: 2 }).sent).toEqual([
      { ...say("a"), x: 1 },
      say("b", 1),
      finish(),
      finish(1),
    ]);
  });

  test("that nobody asked for are dropped, and so is what follows a finish", () => {
    expect(repair([say("a"), say("b", 1), finish(), say("late"), finish(0, "length")]).sent).toEqual([
      say("a"),
      finish(),
    ]);
  });

  test("are cut where one has not finished and no terminator comes", () => {
    const came = [say("a"), say("b", 1), finish()];
    expect(repair(came, { choices: 2 }, "end").sent).toEqual([...came, "origin_cut"]);
    expect(repair([...came, finish(1)], { choices: 2 }, "end").sent).toEqual([...came, finish(1)]);
  });
});

describe("a finish", () => {
  test("with text is split: what rides on the text stays there, usage on both", () => {
    const rides = { logprobs: { tokens: ["a"] }, token_ids: [7], prompt_token_ids: [1], x: 1 };
    const came = {
      ...say("a", 0, { ...rides, finish_reason: "stop", stop_reason: "z" }),
      usage: USAGE,
      system_fingerprint: "fp",
    };
    expect(repair([came], ALONG, "nothing").sent).toEqual([
      { ...say("a", 0, { ...rides, finish_reason: null, stop_reason: null }), usage: USAGE },
      {
        ...ENVELOPE,
        choices: [{ ...injected("stop").choices[0], stop_reason: "z" }],
        usage: USAGE,
        system_fingerprint: "fp",
      },
    ]);
  });

  test.each(["stop", "length", "repetition", "someday"])("of %s passes", (reason) => {
    expect(repair([say("a"), finish(0, reason)]).sent).toEqual([say("a"), finish(0, reason)]);
  });

  test.each(["abort", "error"])("of %s is an error, after the text that came with it", (reason) => {
    expect(repair([say("a"), finish(0, reason)], {}, "nothing").sent).toEqual([say("a"), "origin_error"]);
    expect(repair([say("a", 0, { finish_reason: reason })], {}, "nothing").sent).toEqual([
      say("a", 0, { finish_reason: null }),
      "origin_error",
    ]);
  });

  test.each([
    ["stop", [say("a")], 16],
    ["stop", [say("a", 0, { token_ids: [1, 2] })], 3],
    ["length", [say("a", 0, { token_ids: [1, 2, 3] })], 3],
    ["length", [say("a"), usage()], 2],
    ["length", [{ ...say("a"), usage: USAGE }], 2],
    ["length", [say("Once upon a time")], 0],
    ["stop", [say("a", 0, { token_ids: Array.from({ length: 15 }, () => 1) })], 16],
    ["length", [say("a", 0, { token_ids: Array.from({ length: 16 }, () => 1) })], 16],
  ])("that is missing is %s: %j, limit %d", (reason, came, maxTokens) => {
    expect(repair(came, { maxTokens }).sent.at(-1)).toEqual(injected(reason));
  });

  test("is given to choices that never came, too", () => {
    expect(repair([say("a"), finish()], { choices: 3 }).sent).toEqual([
      say("a"),
      finish(),
      injected("stop", 1),
      injected("stop", 2),
    ]);
  });
});

test("a stream without a choice is an error", () => {
  expect(repair([]).sent).toEqual(["origin_protocol"]);
  expect(repair([], {}, "end").sent).toEqual(["origin_protocol"]);
  expect(repair([usage()], ASKED).sent).toEqual(["origin_protocol"]);
});

test("only what says something opens the answer", () => {
  expect(phase(say(""))).toBe("opening");
  expect(phase(say("", 0, { token_ids: [], prompt_token_ids: [1] }))).toBe("opening");
  expect(phase(say("", 0, { token_ids: [9] }))).toBe("open");
  expect(phase(say("", 0, { logprobs: {} }))).toBe("open");
  expect(phase(say("a"))).toBe("open");
  expect(phase(finish())).toBe("settling");
});
