/** The chunks of a generate stream: every finish passes, none is invented, and usage is as it was asked for. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/core/json/object.ts";
import { Envelope } from "../../../../src/vllm/envelope.ts";
import { repairGenerate, type GenerateParts } from "../../../../src/vllm/generate/repair.ts";
import { pushAll, type Sent } from "../../../support/operations.ts";

const ASKED = { usage: { final: true, continuous: false } };
const ALONG = { usage: { final: true, continuous: true } };

const counts = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});
const say = (ids: unknown, index = 0, more: object = {}) => ({
  request_id: "r",
  choices: [{ index, token_ids: ids, ...more }],
});
const finish = (ids: unknown, reason = "stop", index = 0) => say(ids, index, { finish_reason: reason, stop_reason: 2 });
const usage = (value: object) => ({ request_id: "r", choices: [], usage: value });

/** A request of 4 prompt tokens. */
function repair(
  chunks: readonly JsonObject[],
  parts: Partial<GenerateParts> = {},
  end: "terminator" | "end" | "nothing" = "terminator",
): Sent {
  const machine = repairGenerate({
    envelope: new Envelope((first) => ({ request_id: first["request_id"] ?? "ours" })),
    choices: 1,
    maxWaiting: 65_536,
    usage: { final: false, continuous: false },
    maxTokens: undefined,
    promptTokens: 4,
    promptLength: () => 0,
    ...parts,
  });
  return pushAll(machine, chunks, end);
}

describe("a chunk", () => {
  test("leaves as the bytes that came, in either dialect's form", () => {
    const python = [
      {
        ...say([7], 0, { finish_reason: null, stop_reason: null, logprobs: null }),
        usage: null,
        output_mode: "tokens",
      },
      { ...finish([2]), usage: null, output_mode: "tokens" },
    ];
    const rust = [say([7], 0, { x: 1 }), say([8]), finish([2])];
    const stripped = usage(counts(4, 2));
    for (const [came, last] of [[python, { ...stripped, output_mode: "tokens" }] as const, [rust, stripped] as const]) {
      const { sent, untouched } = repair([...came, last]);
      expect(sent).toEqual(came);
      expect(untouched).toEqual(came.map(() => true));
    }
  });

  test("has the stream's one request id", () => {
    const { request_id: _, ...without } = say([8]);
    expect(repair([say([7]), { ...say([8]), request_id: "other" }, without, finish([2])]).sent).toEqual([
      say([7]),
      say([8]),
      say([8]),
      finish([2]),
    ]);
    expect(repair([without, finish([2])]).sent[0]).toEqual({ ...without, request_id: "ours" });
  });

  test("opens the answer with ids or with a finish", () => {
    expect(repair([say([])], {}, "nothing").phase).toBe("opening");
    expect(repair([say([7])], {}, "nothing").phase).toBe("open");
    expect(repair([finish([])], {}, "nothing").phase).toBe("settling");
  });

  test("of a choice that nobody asked for is dropped, and so is what follows a finish", () => {
    expect(repair([say([7]), say([8], 1), finish([2]), say([9]), finish([])]).sent).toEqual([say([7]), finish([2])]);
  });
});

describe("a finish", () => {
  test.each(["stop", "length", "abort", "error", "repetition", "tool_calls", "someday"])("of %s passes", (reason) => {
    expect(repair([say([7]), finish([2], reason)]).sent).toEqual([say([7]), finish([2], reason)]);
  });

  test.each(["stop", "abort"])("of %s without ids is not lost", (reason) => {
    const came = [say([7]), finish([], reason)];
    expect(repair(came).sent).toEqual(came);
    expect(repair(came, {}, "end").sent).toEqual(came);
    expect(repair([finish([], reason)]).sent).toEqual([finish([], reason)]);
  });

  test("that is empty is none", () => {
    expect(repair([say([7], 0, { finish_reason: "" }), finish([2])]).sent).toEqual([
      say([7], 0, { finish_reason: null }),
      finish([2]),
    ]);
  });

  test.each<[string, readonly JsonObject[], Partial<GenerateParts>]>([
    ["of the only choice", [say([7])], {}],
    ["of the only choice, though usage came", [say([7]), usage(counts(4, 1))], ASKED],
    ["though the limit is reached", [say([7])], { maxTokens: 1 }],
    ["of one choice of two", [say([7]), finish([2], "stop", 1)], { choices: 2 }],
    ["of a choice that never came", [say([7]), finish([2])], { choices: 3, ...ASKED }],
  ])("is never invented: %s", (_, came, parts) => {
    const chunks = came.filter((chunk) => !("usage" in chunk));
    expect(repair(came, parts).sent).toEqual([...chunks, "origin_cut"]);
    expect(repair(came, parts, "end").sent).toEqual([...chunks, "origin_cut"]);
  });
});

test("a stream without a choice is an error", () => {
  expect(repair([]).sent).toEqual(["origin_protocol"]);
  expect(repair([], ASKED, "end").sent).toEqual(["origin_protocol"]);
  expect(repair([usage(counts(4, 0))], ASKED).sent).toEqual(["origin_protocol"]);
});

describe("usage", () => {
  const came = [{ ...say([7]), usage: counts(4, 1) }, { ...finish([2]), usage: counts(4, 2) }, usage(counts(4, 2))];

  test("is sent last where it was asked for, along too, or not at all", () => {
    expect(repair(came, ASKED).sent).toEqual([say([7]), finish([2]), usage(counts(4, 2))]);
    expect(repair(came, ALONG).sent).toEqual(came);
    expect(repair(came).sent).toEqual([say([7]), finish([2])]);
  });

  test("tells all of the prompt, even before the origin has counted it", () => {
    const early = [
      { ...say([7]), usage: counts(0, 1) },
      { ...say([8]), usage: counts(4, 2) },
      { ...finish([2]), usage: counts(0, 3) },
      usage(counts(0, 3)),
    ];
    const { sent, tokens } = repair(early, ALONG);
    expect(sent).toEqual([
      { ...say([7]), usage: counts(4, 1) },
      { ...say([8]), usage: counts(4, 2) },
      { ...finish([2]), usage: counts(4, 3) },
      usage(counts(4, 3)),
    ]);
    expect(tokens).toEqual({ prompt: 4, completion: 3 });
  });

  test("tells more than the request's ids where the origin counted more", () => {
    expect(repair([finish([2]), usage(counts(9, 1))], ASKED).sent[1]).toEqual(usage(counts(9, 1)));
  });

  test.each<[string, readonly JsonObject[], number, object]>([
    ["one choice", [say([7, 8]), finish([2])], 1, counts(4, 3)],
    ["two choices, the prompt once", [say([7]), finish([2], "stop", 1), finish([8, 2])], 2, counts(4, 4)],
    ["an answer without ids", [finish([], "abort")], 1, counts(4, 0)],
  ])("that the origin does not send is counted exactly: %s", (_, chunks, choices, counted) => {
    expect(repair(chunks, { ...ASKED, choices }).sent.at(-1)).toEqual(usage(counted));
  });
});
