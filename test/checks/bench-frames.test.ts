/** The frames that the bench's origin sends have the shape of those that vLLM sent. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SCENARIOS, lengthOf, named } from "../../bench/frames/scenario.ts";
import { wholeAnswer } from "../../bench/frames/whole.ts";

test.each([
  ["chat", "python/chat-reasoning"],
  ["chat-reasoning", "python/chat-text-usage"],
  ["chat-tools-python", "python/chat-tool"],
  ["chat-tools-rust", "rust/chat-tool"],
  ["chat-n2", "python/chat-n2"],
  ["completions", "python/comp-usage"],
  ["generate", "python/gen-usage"],
])("%s: every kind of frame is one of %s", (name, recording) => {
  const recorded = new Set(framesOf(read(`${recording}.body`)).map(shapeOf));
  const { opening, middle, closing } = named(name).script({ model: "m", usage: "last" });
  // The recording says "content" where it thinks no more, and in n=2 it only thinks.
  const said = [...opening, ...middle(1), ...closing].map((frame) =>
    name === "chat-n2" ? frame.replace('{"content":" ', '{"reasoning":" ') : frame,
  );
  for (const frame of said.flatMap(framesOf)) expect(recorded).toContain(shapeOf(frame));
});

test.each([
  ["chat", "python/chat-text-continuous"],
  ["chat-reasoning", "python/chat-text-continuous"],
  ["chat-tools-python", "python/chat-tool-continuous"],
  ["chat-tools-rust", "rust/chat-tool-continuous"],
  ["messages-reasoning", "python/chat-text-continuous"],
  ["completions", "python/comp-continuous"],
  ["generate", "python/gen-continuous"],
])("%s with usage on each frame: every kind of frame is one of %s", (name, recording) => {
  const recorded = new Set(framesOf(read(`${recording}.body`)).map(shapeOf));
  const { opening, middle, closing } = named(name).script({ model: "m", usage: "each" });
  // The last is the same as where it alone tells of usage.
  // The recording only thinks where the scenario says "content", and Rust's has a call's name and first argument in one.
  const begins = name === "chat-tools-rust" ? opening.slice(0, 1) : opening;
  const said = [...begins, ...middle(1), ...closing.slice(0, -1)].map((frame) =>
    frame.replace('{"content":" ', '{"reasoning":" '),
  );
  for (const frame of said.flatMap(framesOf)) expect(recorded).toContain(shapeOf(frame));
});

test("usage on each frame counts up to what the last one says", () => {
  const { opening, middle, closing } = named("chat-reasoning").script({ model: "m", usage: "each" });
  const said = [...opening, ...middle(0), ...middle(1), ...closing].flatMap(framesOf);
  const counts = said
    .map((frame): Told => JSON.parse(frame.slice("data: ".length)))
    .map(({ usage }) => [usage.completion_tokens, usage.completion_tokens_details.reasoning_tokens]);
  expect(counts).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
    [201, 200],
    [201, 200],
  ]);
});

test("where usage is not asked for there is none, and the fingerprint stands on the finish", () => {
  const { closing } = named("chat-usage-stripped").script({ model: "m", usage: "none" });
  expect(closing).toHaveLength(1);
  const recorded = framesOf(read("python/chat-text.body")).map(shapeOf);
  expect(closing.flatMap(framesOf).map(shapeOf)).toEqual([recorded.at(-1)]);
});

test("a whole answer is as long as it should be and of vLLM's shape", () => {
  const answer = wholeAnswer("m", 1_000);
  expect(answer).toHaveLength(1_000);
  const recorded: { choices: { message: { content: unknown } }[] } = JSON.parse(read("python/chat-full.body"));
  const made: typeof recorded = JSON.parse(answer);
  expect(Object.keys(made)).toEqual(Object.keys(recorded));
  expect(Object.keys(made.choices[0] ?? {})).toEqual(Object.keys(recorded.choices[0] ?? {}));
  expect(Object.keys(made.choices[0]?.message ?? {})).toEqual(Object.keys(recorded.choices[0]?.message ?? {}));
});

test("a stream has as many frames as it is said to have, and about as many as are wanted", () => {
  for (const scenario of SCENARIOS) {
    const { steps, events } = lengthOf(scenario, 200);
    const { opening, middle, closing } = scenario.script({ model: "m", usage: scenario.usage });
    const middles = Array.from({ length: steps }, (_, step) => middle(step)).flat();
    expect([...opening, ...middles, ...closing]).toHaveLength(events);
    expect(200 - events).toBeLessThan(2);
  }
});

interface Told {
  readonly usage: { completion_tokens: number; completion_tokens_details: { reasoning_tokens: number } };
}

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, "../conformance/transcripts", file), "utf8");
}

function framesOf(stream: string): string[] {
  return stream.split("\n\n").filter((record) => record !== "" && record !== "data: [DONE]");
}

/** A frame without its texts and numbers: names, their order, and what is null. */
function shapeOf(frame: string): string {
  return JSON.stringify(JSON.parse(frame.slice("data: ".length)), (_key, value: unknown) => {
    if (typeof value === "string") return value === "" ? "" : "text";
    return typeof value === "number" ? 0 : value;
  });
}
