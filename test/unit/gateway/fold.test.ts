/** A whole answer out of an origin's stream. */
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { startFold } from "../../support/fold.ts";

const CUT = "origin_cut: the answer is not complete";
const LATE = "origin_timeout: The origin took too long to answer.";

describe("an answer", () => {
  test("is whole when the terminator has come and the origin has ended its body", async () => {
    const { says, ends, outcome, clock } = await startFold();
    await says("role", "a", "b");
    await says("finish", "usage", "done");
    expect(outcome()).toBe("pending");
    await ends();
    expect(outcome()).toBe("ab (stop, 1+2)");
    expect(clock.pending).toBe(0);
  });

  test("does not depend on how it is cut", async () => {
    const { sends, ends, outcome } = await startFold();
    for (const byte of "data: a\n\ndata: finish\n\ndata: done\n\n") await sends(byte);
    await ends();
    expect(outcome()).toBe("a (stop, 1+2)");
  });

  test("waits a tenth of a second at most for the body's end, and then frees the origin", async () => {
    const { says, outcome, clock, freed } = await startFold();
    await says("a", "finish", "done");
    await clock.advance(99);
    expect([outcome(), freed()]).toEqual(["pending", 0]);
    await clock.advance(1);
    expect([outcome(), freed()]).toEqual(["a (stop, 1+2)", 1]);
    expect(clock.pending).toBe(0);
  });

  test("has lost nothing when the connection breaks after the terminator", async () => {
    const { says, resets, outcome } = await startFold();
    await says("a", "finish", "done");
    await resets();
    expect(outcome()).toBe("a (stop, 1+2)");
  });

  test("takes nothing after the terminator", async () => {
    const { says, ends, outcome, events } = await startFold();
    await says("a", "finish", "done", "error", "throw");
    await says("error");
    await ends();
    expect([outcome(), events.pushed]).toEqual(["a (stop, 1+2)", 3]);
  });

  test("is whole without a terminator when the body ends after the finish", async () => {
    const { says, ends, outcome } = await startFold();
    await says("a", "finish");
    await ends();
    expect(outcome()).toBe("a (stop, 1+2)");
  });

  test("is whole without a terminator when the connection breaks after the finish", async () => {
    const { says, resets, outcome } = await startFold();
    await says("a", "finish");
    await resets();
    expect(outcome()).toBe("a (stop, 1+2)");
  });

  test("waits two seconds for usage and terminator", async () => {
    const { says, outcome, clock, freed } = await startFold();
    await says("a", "finish");
    await clock.advance(1_999);
    expect([outcome(), freed()]).toEqual(["pending", 0]);
    await clock.advance(1);
    expect([outcome(), freed()]).toEqual(["a (stop, 1+2)", 1]);
    expect(clock.pending).toBe(0);
  });

  test("waits no longer for them because something else comes", async () => {
    const { says, outcome, clock } = await startFold();
    await says("a", "finish");
    await clock.advance(1_500);
    await says("usage");
    await says("quiet");
    await clock.advance(500);
    expect(outcome()).toBe("a (stop, 1+2)");
  });
});

describe("an answer that fails", () => {
  test.each([
    ["before a word", []],
    ["after its role", ["role"]],
    ["after some words", ["role", "a"]],
  ])("is cut when the body ends %s", async (_, words) => {
    const { says, ends, outcome, freed } = await startFold();
    await says(...words);
    await ends();
    expect([outcome(), freed()]).toEqual([CUT, 1]);
  });

  test("is cut when the connection breaks before the finish", async () => {
    const { says, resets, outcome } = await startFold();
    await says("a");
    await resets();
    expect(outcome()).toBe("origin_cut: The origin broke the connection before the answer was complete.");
  });

  test("fails with the error in its stream, and frees the origin", async () => {
    const { says, outcome, freed, clock } = await startFold();
    await says("a", "error", "b", "finish", "done");
    expect([outcome(), freed(), clock.pending]).toEqual(["origin_error: the engine died", 1, 0]);
  });

  test("fails with the error after its finish", async () => {
    const { says, outcome } = await startFold();
    await says("a", "finish", "error");
    expect(outcome()).toBe("origin_error: the engine died");
  });

  test("fails with what came in place of the head", async () => {
    const { refuse, outcome, heads, clock } = await startFold({}, false);
    await refuse(new GatewayError("origin_unreachable", "nobody there"));
    expect([outcome(), heads(), clock.pending]).toEqual(["origin_unreachable: nobody there", 0, 0]);
  });

  test("fails with what cannot be read", async () => {
    const { sends, outcome, freed } = await startFold();
    await sends(`data: ${"x".repeat(2_000)}`);
    expect([outcome().split(":")[0], freed()]).toEqual(["origin_protocol", 1]);
  });

  test("fails with a mistake of ours as it is", async () => {
    const { says, outcome, freed } = await startFold();
    await says("throw");
    expect([outcome(), freed()]).toEqual(["TypeError: a mistake of ours", 1]);
  });

  test("may be as long as MAX_RESPONSE_BYTES and no longer, 128 for its part included", async () => {
    const half = "x".repeat(448);
    const fits = await startFold({ MAX_RESPONSE_BYTES: 1_024 });
    await fits.says(half, half, "finish", "done");
    await fits.ends();
    expect(fits.outcome()).toBe(`${half}${half} (stop, 1+2)`);

    const { says, outcome, freed } = await startFold({ MAX_RESPONSE_BYTES: 1_024 });
    await says(half, `${half}x`);
    expect([outcome(), freed()]).toEqual([
      "origin_protocol: The origin's answer is longer than this gateway allows.",
      1,
    ]);
  });
});

describe("an origin that takes its time", () => {
  test("has ANSWER_TIMEOUT_MS for its head", async () => {
    const { clock, outcome, freed } = await startFold({ ANSWER_TIMEOUT_MS: 700 }, false);
    await clock.advance(699);
    expect(outcome()).toBe("pending");
    await clock.advance(1);
    expect([outcome(), freed()]).toEqual([LATE, 1]);
  });

  test("has ANSWER_TIMEOUT_MS for all of it, however much it says", async () => {
    const { clock, outcome, says, freed } = await startFold({ ANSWER_TIMEOUT_MS: 700, IDLE_TIMEOUT_MS: 300 });
    for (let turn = 0; turn < 6; turn += 1) {
      await says("a");
      await clock.advance(100);
    }
    await says("a");
    await clock.advance(99);
    expect(outcome()).toBe("pending");
    await clock.advance(1);
    expect([outcome(), freed(), clock.pending]).toEqual([LATE, 1, 0]);
  });

  test("has the whole grace after its finish, however little of IDLE_TIMEOUT_MS was left", async () => {
    const { clock, says, outcome } = await startFold({ IDLE_TIMEOUT_MS: 300 });
    await says("a");
    await clock.advance(299);
    await says("finish");
    await clock.advance(1_999);
    expect(outcome()).toBe("pending");
    await clock.advance(1);
    expect(outcome()).toBe("a (stop, 1+2)");
  });

  test("has FIRST_EVENT_TIMEOUT_MS from its head to its first word", async () => {
    const limits = { FIRST_EVENT_TIMEOUT_MS: 300, IDLE_TIMEOUT_MS: 100 };
    const { clock, sendHead, outcome, heads } = await startFold(limits, false);
    await clock.advance(1_000);
    expect([outcome(), heads()]).toEqual(["pending", 0]);
    await sendHead();
    expect(heads()).toBe(1);
    await clock.advance(299);
    expect(outcome()).toBe("pending");
    await clock.advance(1);
    expect(outcome()).toBe(LATE);
  });

  test("has IDLE_TIMEOUT_MS from one word to the next", async () => {
    const { clock, says, ends, outcome } = await startFold({ IDLE_TIMEOUT_MS: 300 });
    for (const word of ["a", "b", "c"]) {
      await clock.advance(299);
      await says(word);
    }
    await clock.advance(299);
    expect(outcome()).toBe("pending");
    await says("finish", "done");
    await ends();
    expect(outcome()).toBe("abc (stop, 1+2)");
  });

  test.each([
    ["a comment", ": here\n\n"],
    ["a frame that says nothing", "data: quiet\n\n"],
    ["a role", "data: role\n\n"],
  ])("gains none by %s", async (_, sent) => {
    const { clock, sends, outcome } = await startFold({ FIRST_EVENT_TIMEOUT_MS: 300 });
    await clock.advance(200);
    await sends(sent);
    await clock.advance(100);
    expect(outcome()).toBe(LATE);
  });

  test("is read no further once it is too late", async () => {
    const { clock, says, outcome, events } = await startFold({ FIRST_EVENT_TIMEOUT_MS: 300 });
    await clock.advance(300);
    await says("a", "finish", "done").catch(() => {});
    expect([outcome(), events.pushed]).toEqual([LATE, 0]);
  });
});
