import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { FAULTS } from "../../sim/faults/index.ts";
import { startSim, type Sim } from "../../sim/server.ts";
import { BEFORE_HEAD } from "./fault-cases/before-head.ts";
import { CALLS, CHOICES } from "./fault-cases/calls.ts";
import { ENDINGS } from "./fault-cases/endings.ts";
import { OPEN } from "./fault-cases/open.ts";
import { STREAMS } from "./fault-cases/streams.ts";
import { STREAMED_WHOLES, WHOLE } from "./fault-cases/whole.ts";
import { ask, chatRequest, eventually, openUntil, TOOLS } from "./support/ask.ts";
import { isJson, seen } from "./support/seen.ts";

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ pace: 0 });
});
afterAll(() => sim.close());

const usage = { stream_options: { include_usage: true } };

describe("streams", () => {
  test.each(Object.entries({ ...BEFORE_HEAD, ...STREAMS, ...ENDINGS, ...STREAMED_WHOLES }))(
    "%s",
    async (name, check) => {
      // The usage faults need usage; others must do without.
      check(seen(await ask(sim.port, `sim/${name}`, /usage-(twice|early|nonsense)|no-usage/.test(name) ? usage : {})));
    },
  );
  test.each(Object.entries(CALLS))("%s", async (name, check) => {
    check(seen(await ask(sim.port, `sim/${name}`, { tools: TOOLS, parallel_tool_calls: false })));
  });
  test.each(Object.entries(CHOICES))("%s", async (name, check) => {
    check(seen(await ask(sim.port, `sim/${name}`, { n: 2 })));
  });
  test.each(Object.entries(OPEN))("%s stays open", async (name, holds) => {
    const before = sim.requests().length;
    const stream = await openUntil(sim.port, chatRequest(`sim/${name}`), holds);
    await eventually(() => sim.requests().length > before, "recorded");
    expect(sim.requests().at(-1)?.ended).toBe("open");
    stream.leave();
    await eventually(() => sim.requests().at(-1)?.ended === "closed", "the abort");
  });
});

describe("whole answers", () => {
  test.each(Object.entries(WHOLE))("%s", async (name, check) => {
    check(seen(await ask(sim.port, `sim/${name}`, { stream: false })));
  });
  test("full-stall stays open in the middle of its body", async () => {
    const stream = await openUntil(sim.port, chatRequest("sim/full-stall", { stream: false }), (text) =>
      text.includes('"chat.completion"'),
    );
    expect(isJson(stream.text().split("\r\n\r\n")[1] ?? "")).toBe(false);
    stream.leave();
  });
});

test("the Rust dialect plays every fault too", async () => {
  for (const name of ["eof-mid", "finish-with-text", "tool-interleaved", "foreign-id", "unknown-fields"]) {
    const answer = seen(await ask(sim.port, `sim/${name}-rust`, { tools: TOOLS }));
    expect(answer.header("content-type")).toBe("text/event-stream");
    expect(answer.events.length).toBeGreaterThan(3);
  }
});

test("hang-up-once answers the second of two equal requests", async () => {
  const first = await ask(sim.port, "sim/hang-up-once?key=a");
  const other = await ask(sim.port, "sim/hang-up-once?key=b");
  const second = await ask(sim.port, "sim/hang-up-once?key=a");
  expect([first.ended, other.ended, second.ended]).toEqual(["empty", "empty", "complete"]);
});

test("every row that an origin can commit in chat is a model, and nothing else is", () => {
  const listed = ROWS.split(/\s+/).filter((name) => name !== "");
  expect(Object.keys(FAULTS).toSorted()).toEqual(listed.toSorted());
  const tested = [BEFORE_HEAD, STREAMS, ENDINGS, CALLS, CHOICES, OPEN, WHOLE].flatMap((table) => Object.keys(table));
  const names = new Set([...tested.map((name) => name.replace(/\?.*/, "")), "hang-up-once", "full-stall"]);
  expect([...names].toSorted()).toEqual(listed.toSorted());
});

const ROWS = `
  hang-up hang-up-once silent slow-head error-python error-rust error-string error-429 error-401 error-404-empty
  error-404-detail error-403-switch error-52x error-404-model error-html error-500-stack error-503-dead redirect
  not-sse no-type empty-200 gzip huge-head
  error-first error-first-500 role-then-error done-only comments-first no-role two-roles late-role
  error-mid error-mid-open eof-mid reset-mid half-frame half-utf8 no-last-blank stall stall-comments bad-json
  huge-frame tiny-packets burst crlf cr mixed-eol bom no-space multi-data ids foreign-id unknown-fields null-delta
  no-choices long
  no-done no-done-open one-of-two-cut no-finish two-finishes two-done after-done finish-with-text finish-early
  one-of-two finish-empty finish-abort finish-error finish-repetition finish-new no-usage usage-twice usage-early
  usage-everywhere usage-nonsense
  tool-no-index tool-id-again tool-args-object tool-args-null tool-name-again tool-type-missing tool-interleaved
  tool-broken tool-no-args tool-two-not-parallel tool-space tool-stop tool-length tool-legacy
  full-cut full-bad-json full-stall full-huge full-rules full-sse`;
