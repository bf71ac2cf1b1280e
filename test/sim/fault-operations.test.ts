import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { FAULTS } from "../../sim/faults/index.ts";
import { startSim, type Sim } from "../../sim/server.ts";
import { BEFORE_HEAD } from "./fault-cases/before-head.ts";
import { CHOICES } from "./fault-cases/calls.ts";
import { ENDINGS } from "./fault-cases/endings.ts";
import { IN_GENERATE } from "./fault-cases/generate.ts";
import { OPEN } from "./fault-cases/open.ts";
import { IN_RELAYS } from "./fault-cases/relay.ts";
import { STREAMS } from "./fault-cases/streams.ts";
import { STREAMED_WHOLES, WHOLE } from "./fault-cases/whole.ts";
import { completionsRequest, eventually, generateRequest, openUntil } from "./support/ask.ts";
import { seen, type Checks } from "./support/seen.ts";
import { call, type WireRequest } from "./support/wire.ts";

/* The faults in completions, generate and the relays; chat has a file of its own. */

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ pace: 0 });
});
afterAll(() => sim.close());

const OPERATIONS = {
  completions: { request: completionsRequest, two: { prompt: ["One", "Two"], max_tokens: 200 }, own: {} },
  generate: {
    request: generateRequest,
    two: { sampling_params: { n: 2, max_tokens: 200 } },
    own: IN_GENERATE,
  },
} as const;

/** The rows of a table that the operation has. */
function rowsOf<Row>(table: Record<string, Row>, operation: "completions" | "generate"): [string, Row][] {
  return Object.entries(table).filter(([name]) => FAULTS[plain(name)]?.in.includes(operation));
}

/** A fault's name without its switches. */
function plain(name: string): string {
  return name.replace(/\?.*/, "");
}

describe.each(["completions", "generate"] as const)("%s", (operation) => {
  const { request, two, own } = OPERATIONS[operation];
  const checks = (...tables: Checks[]): [string, Checks[string]][] =>
    rowsOf<Checks[string]>(Object.assign({}, ...tables), operation).map(([name, check]) => [
      name,
      { ...own }[name] ?? check,
    ]);

  test.each(checks(BEFORE_HEAD, STREAMS, ENDINGS, STREAMED_WHOLES))("%s", async (name, check) => {
    const usage = /usage-(twice|early|nonsense)|no-usage/.test(name) ? { include_usage: true } : null;
    check(seen(await call(sim.port, request(`sim/${name}`, { stream_options: usage }))));
  });
  test.each(checks(CHOICES))("%s", async (name, check) => {
    check(seen(await call(sim.port, request(`sim/${name}`, two))));
  });
  test.each(checks(WHOLE))("%s, whole", async (name, check) => {
    check(seen(await call(sim.port, request(`sim/${name}`, { stream: false }))));
  });
  test.each(rowsOf(OPEN, operation))("%s stays open until the client goes", async (name, holds) => {
    const model = `sim/${name}`;
    const stream = await openUntil(sim.port, request(model), holds);
    const record = (): string | undefined => sim.requests().findLast((made) => made.model === model)?.ended;
    await eventually(() => record() === "open", "recorded");
    stream.leave();
    await eventually(() => record() === "closed", "the abort");
  });
  test("every fault that occurs is tested", () => {
    const tested = [BEFORE_HEAD, STREAMS, ENDINGS, CHOICES, OPEN, WHOLE].flatMap((table) => Object.keys(table));
    const missing = Object.entries(FAULTS).filter(
      ([name, fault]) => fault.in.includes(operation) && !tested.some((row) => plain(row) === name),
    );
    expect(missing.map(([name]) => name)).toEqual(["hang-up-once", "full-stall"]);
  });
  test("a fault that does not occur is refused", async () => {
    const answer = await call(sim.port, request("sim/tool-broken"));
    expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining("only in: chat")]);
  });
});

test.each(["eof-mid", "finish-early", "after-done", "foreign-id", "unknown-fields", "error-mid"])(
  "%s in the Rust dialect",
  async (name) => {
    for (const request of [completionsRequest, generateRequest]) {
      const answer = seen(await call(sim.port, request(`sim/${name}-rust`)));
      expect(answer.header("content-type")).toBe("text/event-stream");
      expect(answer.events.length).toBeGreaterThanOrEqual(3);
    }
  },
);

function tokenizeRequest(model: string): WireRequest {
  return { path: "/tokenize", body: { model, prompt: "What is a sluice?" } };
}

describe("relays", () => {
  test.each(Object.entries(IN_RELAYS))("%s", async (name, check) => {
    check(seen(await call(sim.port, tokenizeRequest(`sim/${name}`))));
  });
  test("a silent relay is closed by its client", async () => {
    const stream = await openUntil(sim.port, tokenizeRequest("sim/silent?key=relay"), () => true);
    const record = () => sim.requests().findLast((made) => made.model === "sim/silent?key=relay");
    await eventually(() => record()?.ended === "open", "recorded");
    stream.leave();
    await eventually(() => record()?.ended === "closed", "the abort");
    expect(record()).toMatchObject({ method: "POST", path: "/tokenize" });
  });
  test("every fault that occurs is tested", () => {
    const wanted = Object.keys(FAULTS).filter((name) => FAULTS[name]?.in.includes("relay"));
    const tested = [...Object.keys(IN_RELAYS).map(plain), "silent", "hang-up-once", "full-stall"];
    expect(tested.toSorted()).toEqual(wanted.toSorted());
  });
});
