/** The end of a chat stream: finishes, usage and the fields that ride on what is not sent. */
import { describe, expect, test } from "vitest";
import { repairStream } from "../../../support/chat-machines.ts";

const ASKED = { usage: { final: true, continuous: false } };
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const role = (index = 0) => ({ choices: [{ index, delta: { role: "assistant", content: "" } }] });
const text = (content: string, index = 0) => ({ choices: [{ index, delta: { content } }] });
const finish = (index = 0, reason = "stop") => ({ choices: [{ index, delta: {}, finish_reason: reason }] });
const usage = (more: object = {}) => ({ choices: [], usage: USAGE, ...more });
const injected = (reason: string, index = 0) => ({
  choices: [{ index, delta: {}, logprobs: null, finish_reason: reason }],
});

/** Returns `chunk` with the usage of a choice that has had `completion` tokens by now. */
function counted(chunk: object, completion: number): Readonly<Record<string, unknown>> {
  return { ...chunk, usage: { prompt_tokens: 3, completion_tokens: completion, total_tokens: 3 + completion, x: 1 } };
}

const ANSWER = [role(), text("abcdefgh"), finish()];

describe("usage that was asked for", () => {
  test.each([
    ["once", [usage()]],
    ["twice", [usage(), usage({ usage: { ...USAGE, prompt_tokens: 9 } })]],
    ["with a total that is wrong", [usage({ usage: { ...USAGE, total_tokens: 77 } })]],
    ["without choices", [{ usage: USAGE }]],
    ["with choices of null", [{ choices: null, usage: USAGE }]],
    ["after nonsense", [usage({ usage: { prompt_tokens: -1 } }), usage({ usage: null }), usage()]],
  ])("%s, is sent once and last", (_, came) => {
    expect(repairStream([...ANSWER, ...came], ASKED).sent).toEqual([...ANSWER, usage()]);
  });

  test.each([
    ["first of all", [usage(), ...ANSWER]],
    ["in the middle", [role(), usage(), text("abcdefgh"), finish()]],
    [
      "early, and again at the end",
      [role(), usage({ usage: { ...USAGE, completion_tokens: 0 } }), text("abcdefgh"), finish(), usage()],
    ],
  ])("and comes %s, waits for the last finish", (_, came) => {
    expect(repairStream(came, ASKED).sent).toEqual([...ANSWER, usage()]);
  });

  test("goes out as soon as it comes after the last finish", () => {
    expect(repairStream([...ANSWER, usage()], ASKED, "nothing").sent).toEqual([...ANSWER, usage()]);
  });

  test("is taken off the chunks of choices, and made of the last where none is sent", () => {
    const came = [counted(role(), 0), counted(text("abcdefgh"), 1), counted(finish(), 2)];
    expect(repairStream(came, ASKED).sent).toEqual([...ANSWER, usage({ usage: { ...USAGE, x: 1 } })]);
  });

  test("is made of the sum of all choices' last", () => {
    const came = [counted(text("a"), 1), counted(text("b", 1), 1), counted(finish(), 2), counted(finish(1), 5)];
    const { sent, tokens } = repairStream(came, { ...ASKED, choices: 2 });
    expect(sent.at(-1)).toEqual(usage({ usage: { prompt_tokens: 3, completion_tokens: 7, total_tokens: 10 } }));
    expect(tokens).toEqual({ prompt: 3, completion: 7 });
  });

  test("is an estimate that says so where nothing is known, and none in the log", () => {
    const { sent, tokens } = repairStream(ANSWER, ASKED);
    const estimate = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, estimated: true };
    expect(sent).toEqual([...ANSWER, usage({ usage: estimate })]);
    expect(tokens).toBeUndefined();
  });

  test("null on chunks of choices is OpenAI's own form", () => {
    const came = [...ANSWER.map((chunk) => ({ ...chunk, usage: null })), usage()];
    expect(repairStream(came, ASKED).sent).toEqual(came);
  });
});

describe("usage on every chunk", () => {
  const all = { usage: { final: true, continuous: true } };

  test("stays where it was asked for, mended, or left out where it cannot be", () => {
    const came = [
      { ...role(), usage: USAGE },
      { ...text("abcdefgh"), usage: { ...USAGE, total_tokens: 6 } },
      { ...text("c"), usage: { prompt_tokens: "many" } },
      { ...finish(), usage: USAGE },
      usage(),
    ];
    const sent = [
      { ...role(), usage: USAGE },
      { ...text("abcdefgh"), usage: USAGE },
      text("c"),
      { ...finish(), usage: USAGE },
      usage(),
    ];
    expect(repairStream(came, all).sent).toEqual(sent);
  });

  test("stands on both halves of a finish that is split", () => {
    const came = {
      choices: [{ index: 0, delta: { role: "assistant", content: "a" }, finish_reason: "stop" }],
      usage: USAGE,
    };
    expect(repairStream([came, usage()], all).sent).toEqual([
      { choices: [{ ...came.choices[0], finish_reason: null }], usage: USAGE },
      { ...injected("stop"), usage: USAGE },
      usage(),
    ]);
  });
});

describe("usage that nobody asked for", () => {
  test.each([
    ["nowhere", ANSWER],
    ["at the end", [...ANSWER, usage()]],
    ["early", [usage(), ...ANSWER]],
    ["everywhere", [...ANSWER.map((chunk) => ({ ...chunk, usage: USAGE })), usage()]],
    ["as null everywhere", [...ANSWER.map((chunk) => ({ ...chunk, usage: null })), usage({ usage: null })]],
  ])("%s, is not sent", (_, came) => {
    expect(repairStream(came).sent).toEqual(ANSWER);
  });

  test("is waited for by the last finish, which takes its other fields along", () => {
    const { sent, phase } = repairStream(ANSWER, {}, "nothing");
    expect(sent).toEqual(ANSWER.slice(0, 2));
    expect(phase).toBe("settling");
    const came = [...ANSWER, usage({ system_fingerprint: "fp", metrics: { a: 1 }, service_tier: null })];
    expect(repairStream(came, {}, "nothing").sent).toEqual([
      ...ANSWER.slice(0, 2),
      { ...finish(), system_fingerprint: "fp", metrics: { a: 1 } },
    ]);
  });

  test("holds back only the last finish, and of a split one only the second half", () => {
    const last = { choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop" }] };
    const { sent } = repairStream([role(), role(1), finish(1), last], { choices: 2 }, "nothing");
    expect(sent).toEqual([role(), role(1), finish(1), { choices: [{ ...last.choices[0], finish_reason: null }] }]);
  });
});

describe("a finish that is missing", () => {
  test.each([
    ["stop", [role(), text("a")], undefined],
    ["stop", [role(), { ...text("a"), usage: USAGE }], 3],
    ["length", [role(), { ...text("a"), usage: USAGE }], 2],
    ["length", [role(), { choices: [{ index: 0, delta: { content: "a" }, token_ids: [1, 2, 3] }] }], 3],
    ["length", [role(), text("a"), usage()], 2],
  ])("is %s: %j, limit %s", (reason, came, maxTokens) => {
    expect(repairStream(came, { maxTokens }).sent.at(-1)).toEqual(injected(reason));
  });

  test("is given to every choice, those that never came too", () => {
    const { sent } = repairStream([role(), text("a")], { choices: 2, ...ASKED });
    expect(sent.slice(2, 5)).toEqual([
      injected("stop"),
      { choices: [{ index: 1, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null }] },
      injected("stop", 1),
    ]);
    expect(sent).toHaveLength(6);
  });

  test("without a terminator is a cut", () => {
    expect(repairStream([role(), text("a")], {}, "end").sent.at(-1)).toBe("origin_cut");
    expect(repairStream([role(), role(1), finish()], { choices: 2 }, "end").sent.at(-1)).toBe("origin_cut");
    expect(repairStream([], {}, "end").sent).toEqual(["origin_protocol"]);
    expect(repairStream([usage()], {}, "terminator").sent).toEqual(["origin_protocol"]);
  });

  test("is none where the body just ends after all choices", () => {
    expect(repairStream(ANSWER, {}, "end").sent).toEqual(ANSWER);
    expect(repairStream([...ANSWER, usage()], ASKED, "end").sent).toEqual([...ANSWER, usage()]);
  });
});
