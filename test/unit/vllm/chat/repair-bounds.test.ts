/** What an origin can make a stream keep is bounded, and kept values do not displace each other. */
import { describe, expect, test } from "vitest";
import { repairStream } from "../../../support/chat-machines.ts";

const role = (index = 0) => ({ choices: [{ index, delta: { role: "assistant", content: "" } }] });
const text = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
const finish = (index = 0) => ({ choices: [{ index, delta: {}, finish_reason: "stop" }] });
const open = (index: number) => ({
  choices: [
    {
      index,
      delta: { tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "{" } }] },
    },
  ],
});
const wait = (index: number) => ({
  choices: [{ index, delta: { tool_calls: [{ index: 1, function: { name: "g", arguments: "x".repeat(300) } }] } }],
});
const mixed = (choices: number) => [0, 1, 2, 3].slice(0, choices).flatMap((index) => [open(index), wait(index)]);
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

describe("fields that wait for a chunk", () => {
  test("are bounded by their text, under one key or many", () => {
    for (const key of [(at: number) => `k${at}`, () => "k"]) {
      const aside = Array.from({ length: 30 }, (_, at) => ({ choices: [], [key(at)]: `${at}`.padEnd(40, "x") }));
      expect(repairStream([role(), ...aside], { maxWaiting: 1_000 }, "nothing").sent.at(-1)).toBe("origin_protocol");
      expect(repairStream([role(), ...aside.slice(0, 15)], { maxWaiting: 1_000 }, "nothing").sent).toEqual([role()]);
    }
  });

  test("count no more once they have left, nor where nothing can take them", () => {
    const pairs = Array.from({ length: 30 }, (_, at) => [{ [`k${at}`]: "x".repeat(500) }, text("a")]).flat();
    expect(repairStream([role(), ...pairs, finish()], { maxWaiting: 1_000 }).sent).toHaveLength(32);
    const late = Array.from({ length: 30 }, (_, at) => ({ [`k${at}`]: "x".repeat(500) }));
    const came = [role(), finish(), { choices: [], usage: USAGE }, ...late];
    expect(repairStream(came, { maxWaiting: 1_000 }).sent).toEqual([role(), finish()]);
  });

  test("wait in turn where two have one name", () => {
    expect(repairStream([role(), { x: 1 }, { x: 2, y: 3 }, { x: 2 }, text("a"), text("b"), finish()]).sent).toEqual([
      role(),
      { ...text("a"), x: 1, y: 3 },
      { ...text("b"), x: 2 },
      finish(),
    ]);
    expect(repairStream([role(), { x: 1, y: 3 }, { ...text("a"), x: 2 }, text("b"), finish()]).sent).toEqual([
      role(),
      { ...text("a"), x: 2, y: 3 },
      { ...text("b"), x: 1 },
      finish(),
    ]);
  });

  test("leave with the last chunk at the latest, the newest of one name", () => {
    const came = [role(), finish(), { x: 1 }, { x: 2, y: 3 }];
    expect(repairStream(came).sent).toEqual([role(), { ...finish(), x: 2, y: 3 }]);
  });
});

test("fragments that wait are bounded for all choices together", () => {
  expect(repairStream(mixed(2), { choices: 4, maxWaiting: 1_000 }, "nothing").sent).not.toContain("origin_protocol");
  expect(repairStream(mixed(4), { choices: 4, maxWaiting: 1_000 }, "nothing").sent.at(-1)).toBe("origin_protocol");
});

const named = (id: string, name: string) => ({
  choices: [
    { index: 0, delta: { tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: "{}" } }] } },
  ],
});

describe("ids and names", () => {
  test("may have 1024 characters", () => {
    const came = [role(), named("i".repeat(1_024), "n".repeat(1_024))];
    expect(repairStream(came, {}, "nothing").sent).toEqual(came);
  });

  test.each([
    ["an id", named("i".repeat(1_025), "f")],
    ["a name", named("i", "n".repeat(1_025))],
  ])("may have no more: %s", (_, came) => {
    expect(repairStream([role(), came], {}, "nothing").sent).toEqual([role(), "origin_protocol"]);
  });

  test("of a legacy function_call are bounded too", () => {
    const came = { choices: [{ index: 0, delta: { function_call: { name: "n".repeat(1_025), arguments: "" } } }] };
    expect(repairStream([role(), came], {}, "nothing").sent).toEqual([role(), "origin_protocol"]);
  });
});
