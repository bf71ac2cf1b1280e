/** What rides on chunks that are not sent, and what a stream commits to by each chunk. */
import { describe, expect, test } from "vitest";
import { chatRepair, repairStream } from "../../../support/chat-machines.ts";

const ASKED = { usage: { final: true, continuous: false } };
const USAGE = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } };

const role = (index = 0) => ({ choices: [{ index, delta: { role: "assistant", content: "" } }] });
const text = (content: string, index = 0) => ({ choices: [{ index, delta: { content } }] });
const finish = (index = 0) => ({ choices: [{ index, delta: {}, finish_reason: "stop" }] });

describe("fields at the top", () => {
  test.each([
    ["of a chunk without choices", [role(), { x: 1 }, text("a"), finish()], [role(), { ...text("a"), x: 1 }, finish()]],
    ["of one with no choice in it", [{ choices: [], x: 1 }, role(), finish()], [{ ...role(), x: 1 }, finish()]],
    ["of one that is dropped", [role(), { ...role(), x: 1 }, finish()], [role(), { ...finish(), x: 1 }]],
    ["of what comes after the finish", [role(), finish(), { ...text("a"), x: 1 }], [role(), { ...finish(), x: 1 }]],
    ["that are null do not", [role(), { x: null }, finish()], [role(), finish()]],
    [
      "for the finish that is injected",
      [role(), { x: 1 }],
      [role(), { choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: "stop" }], x: 1 }],
    ],
  ])("go along with the next chunk: %s", (_, came, sent) => {
    expect(repairStream(came).sent).toEqual(sent);
  });

  test("go along with usage where it comes last, the origin's or ours", () => {
    expect(repairStream([role(), finish(), { x: 1 }, USAGE], ASKED).sent).toEqual([
      role(),
      finish(),
      { ...USAGE, x: 1 },
    ]);
    expect(repairStream([role(), USAGE, finish(), { ...USAGE, y: 1 }], ASKED).sent.at(-1)).toEqual({ ...USAGE, y: 1 });
    expect(repairStream([role(), { ...USAGE, x: 1 }, finish(), USAGE], ASKED).sent.at(-1)).toEqual({ ...USAGE, x: 1 });
    expect(repairStream([role(), finish(), { x: 1 }], ASKED).sent.at(-1)).toMatchObject({ choices: [], x: 1 });
  });

  test("find no place after the last chunk", () => {
    expect(repairStream([role(), finish(), USAGE, { x: 1 }]).sent).toEqual([role(), finish()]);
  });

  test("the first half of a split finish keeps them, the second gets the fingerprint", () => {
    const came = {
      choices: [{ index: 0, delta: { role: "assistant", content: "a" }, finish_reason: "stop" }],
      x: 1,
      system_fingerprint: "fp",
    };
    expect(repairStream([came]).sent).toEqual([
      { choices: [{ ...came.choices[0], finish_reason: null }], x: 1 },
      { choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: "stop" }], system_fingerprint: "fp" },
    ]);
  });
});

describe("the phase", () => {
  test.each([
    ["opening", [], ["opening"]],
    ["opening", [role(), { x: 1 }, { choices: [{ index: 0, delta: null }] }], ["opening", "opening", "opening"]],
    ["open", [role(), text("a")], ["opening", "open"]],
    ["open", [{ choices: [{ index: 0, delta: {}, token_ids: [1] }] }], ["open"]],
    ["settling", [role(), finish(), text("late")], ["opening", "settling", "settling"]],
  ])("is %s in the end: %j", (_, chunks, phases) => {
    const repair = chatRepair();
    const seen = chunks.map((json) => {
      repair.push({ json: { ...json }, bytes: undefined });
      return repair.phase;
    });
    expect(seen).toEqual(phases.slice(0, chunks.length));
  });
});
