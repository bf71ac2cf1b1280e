/** Repaired chat chunks as neutral events. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/core/json/object.ts";
import { ChatDecoder } from "../../../../src/vllm/chat/decode.ts";
import { Waiting } from "../../../../src/vllm/riders.ts";

const START = { type: "start", usage: undefined };
const COMPLETE = { type: "tool_call_complete" };
const BROKEN = {
  type: "error",
  error: "origin_protocol The origin sent a tool call whose arguments are not complete JSON.",
};

const text = (said: string): object => ({ type: "text", text: said });
const reasoning = (said: string): object => ({ type: "reasoning", text: said });
const started = (id: string, name: string): object => ({ type: "tool_call_start", id, name });
const piece = (said: string): object => ({ type: "tool_call_delta", text: said });
const finish = (reason: string, stopText?: string): object => ({ type: "finish", reason, stopText });

const delta = (fields: object): JsonObject => ({ choices: [{ index: 0, delta: fields }] });
const ends = (reason: unknown, fields: object = {}): JsonObject => ({
  choices: [{ index: 0, delta: {}, finish_reason: reason, ...fields }],
});
const call = (index: number, args: string, id?: string, name?: string): JsonObject =>
  delta({
    tool_calls: [{ index, ...(id !== undefined && { id, type: "function" }), function: { name, arguments: args } }],
  });
const CALL = call(0, '{"a":', "c0", "f");

/** The events of `chunks`; an error as its code and its words. */
function decode(chunks: readonly JsonObject[], mostWaiting = 1_000): unknown[] {
  const decoder = new ChatDecoder(new Waiting(mostWaiting));
  return chunks
    .flatMap((json) => decoder.push({ json, bytes: undefined }))
    .map((event) =>
      event.type === "error" ? { type: "error", error: `${event.error.code} ${event.error.message}` } : event,
    );
}

describe("the start", () => {
  test("comes with the first chunk, once, whatever that says", () => {
    expect(decode([delta({ role: "assistant", content: "" }), delta({ content: "a" })])).toEqual([START, text("a")]);
    expect(decode([ends("stop")])).toEqual([START, finish("stop")]);
  });

  test("tells the usage that rides on it", () => {
    const usage = { prompt_tokens: 20, completion_tokens: 0, total_tokens: 20 };
    expect(decode([{ ...delta({ role: "assistant" }), usage }])).toEqual([
      {
        type: "start",
        usage: {
          prompt: 20,
          completion: 0,
          cached: undefined,
          written: undefined,
          reasoning: undefined,
          estimated: false,
        },
      },
    ]);
  });

  test("does not come before the first chunk", () => {
    expect(decode([])).toEqual([]);
  });
});

describe("text and reasoning", () => {
  test("come as they were said, one after the other", () => {
    const chunks = [delta({ reasoning: "so" }), delta({ reasoning: " on" }), delta({ content: "a" })];
    expect(decode(chunks)).toEqual([START, reasoning("so"), reasoning(" on"), text("a")]);
  });

  test("of one chunk come with reasoning first", () => {
    expect(decode([delta({ content: "a", reasoning: "so" })])).toEqual([START, reasoning("so"), text("a")]);
  });

  test("may take turns", () => {
    const chunks = [delta({ content: "a" }), delta({ reasoning: "so" }), delta({ content: "b" })];
    expect(decode(chunks)).toEqual([START, text("a"), reasoning("so"), text("b")]);
  });

  test("that say nothing are no events", () => {
    const nothing = [{ content: "" }, { content: null }, { reasoning: "" }, { refusal: "" }, {}];
    expect(decode(nothing.map(delta))).toEqual([START]);
    expect(decode([{ choices: [{ index: 0, delta: null }] }])).toEqual([START]);
  });

  test("a refusal is what the model says", () => {
    expect(decode([delta({ refusal: "No." }), ends("content_filter")])).toEqual([
      START,
      text("No."),
      finish("content_filter"),
    ]);
  });
});

describe("white space", () => {
  test("before a text waits for it and stays with it", () => {
    expect(decode([delta({ content: "\n" }), delta({ content: " " }), delta({ content: "a" })])).toEqual([
      START,
      text("\n a"),
    ]);
    expect(decode([delta({ reasoning: "\n" }), delta({ reasoning: "so" })])).toEqual([START, reasoning("\nso")]);
  });

  test("within a text and after it comes as it was said", () => {
    const chunks = [delta({ content: "a" }), delta({ content: "\n\n" }), CALL];
    expect(decode(chunks)).toEqual([START, text("a"), text("\n\n"), started("c0", "f"), piece('{"a":')]);
  });

  test.each([
    ["before reasoning", [delta({ content: "\n" }), delta({ reasoning: "so" })], [reasoning("so")]],
    ["before a text, of reasoning", [delta({ reasoning: "\n" }), delta({ content: "a" })], [text("a")]],
    ["before a call", [delta({ content: "\n" }), CALL], [started("c0", "f"), piece('{"a":')]],
    ["at the end", [delta({ content: "\n" }), ends("stop")], [finish("stop")]],
    [
      "between calls",
      [call(0, "{}", "c0", "f"), delta({ content: "\n" }), call(1, "{}", "c1", "g")],
      [started("c0", "f"), piece("{}"), COMPLETE, started("c1", "g"), piece("{}")],
    ],
    [
      "of either kind in turn",
      [delta({ reasoning: "\n" }), delta({ content: " " }), delta({ reasoning: " so" })],
      [reasoning(" so")],
    ],
  ])("that leads nowhere is dropped: %s", (_, chunks, events) => {
    expect(decode(chunks)).toEqual([START, ...events]);
  });

  test("is kept up to a bound, and given back when it is over", () => {
    const blank = delta({ content: "\n".repeat(6) });
    expect(decode([blank], 6)).toEqual([START]);
    expect(
      decode([blank, delta({ reasoning: "so" }), blank, delta({ content: "a" }), CALL, blank], 6),
    ).not.toContainEqual(expect.objectContaining({ type: "error" }));
    expect(decode([blank, delta({ content: "\n" })], 6)).toEqual([
      START,
      { type: "error", error: "origin_protocol The origin sent more out of its place than can be kept." },
    ]);
  });
});

describe("a call", () => {
  const REST = call(0, "1}");

  test("starts, gets its arguments in pieces and is complete at the finish", () => {
    expect(decode([CALL, REST, ends("tool_calls")])).toEqual([
      START,
      started("c0", "f"),
      piece('{"a":'),
      piece("1}"),
      COMPLETE,
      finish("tool_calls"),
    ]);
  });

  test("is complete when the next one starts", () => {
    expect(decode([call(0, "{}", "c0", "f"), call(1, "", "c1", "g"), call(1, "{}")])).toEqual([
      START,
      started("c0", "f"),
      piece("{}"),
      COMPLETE,
      started("c1", "g"),
      piece("{}"),
    ]);
  });

  test("is complete when text follows", () => {
    const chunks = [call(0, "{}", "c0", "f"), delta({ content: "a" }), ends("tool_calls")];
    expect(decode(chunks)).toEqual([START, started("c0", "f"), piece("{}"), COMPLETE, text("a"), finish("tool_calls")]);
  });

  test("has no piece for empty arguments", () => {
    expect(decode([call(0, "", "c0", "f"), ends("length")])).toEqual([
      START,
      started("c0", "f"),
      COMPLETE,
      finish("length"),
    ]);
  });

  test("holds back what is said while it is incomplete, and lets it follow with its white space", () => {
    const later = [delta({ content: " " }), delta({ content: "a" }), delta({ reasoning: "so" })];
    expect(decode([CALL, ...later, REST, ends("tool_calls")])).toEqual([
      START,
      started("c0", "f"),
      piece('{"a":'),
      piece("1}"),
      COMPLETE,
      text(" a"),
      reasoning("so"),
      finish("tool_calls"),
    ]);
    expect(decode([CALL, delta({ content: "\n" }), REST, delta({ content: "a" })]).slice(-2)).toEqual([
      COMPLETE,
      text("\na"),
    ]);
  });

  test("holds back no more than the bound", () => {
    expect(decode([CALL, delta({ content: "four" })], 4)).toEqual([START, started("c0", "f"), piece('{"a":')]);
    expect(decode([CALL, delta({ content: "fives" })], 4).at(-1)).toEqual({
      type: "error",
      error: "origin_protocol The origin sent more out of its place than can be kept.",
    });
  });

  test("that ends early breaks the stream at its finish", () => {
    for (const reason of ["tool_calls", "stop", "content_filter", "someday"]) {
      expect(decode([CALL, ends(reason)])).toEqual([START, started("c0", "f"), piece('{"a":'), COMPLETE, BROKEN]);
    }
  });

  test("that ends early breaks the stream although a good one follows", () => {
    expect(decode([CALL, call(1, "{}", "c1", "g"), ends("tool_calls")]).at(-1)).toEqual(BROKEN);
  });

  test("that goes on after its end breaks the stream, with white space alone it does not", () => {
    const over = [call(0, "{}", "c0", "f"), call(1, "{}", "c1", "g")];
    expect(decode([...over, call(0, "}"), ends("tool_calls")]).at(-1)).toEqual(BROKEN);
    expect(decode([...over, call(0, " \n"), ends("tool_calls")]).at(-1)).toEqual(finish("tool_calls"));
    expect(decode([call(0, "{}}", "c0", "f"), ends("tool_calls")]).at(-1)).toEqual(BROKEN);
  });

  test("that the limit cut is told as it is", () => {
    for (const reason of ["length", "repetition"]) {
      expect(decode([CALL, ends(reason)])).toEqual([
        START,
        started("c0", "f"),
        piece('{"a":'),
        COMPLETE,
        finish("length"),
      ]);
    }
  });
});

describe("the finish", () => {
  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["repetition", "length"],
    ["content_filter", "content_filter"],
    ["someday", "stop"],
    // Nobody could answer calls that were not made.
    ["tool_calls", "stop"],
  ])("%s is %s", (told, reason) => {
    expect(decode([delta({ content: "a" }), ends(told)])).toEqual([START, text("a"), finish(reason)]);
  });

  test.each([
    ["tool_calls", "tool_calls"],
    ["stop", "tool_calls"],
    ["someday", "tool_calls"],
    ["length", "length"],
    ["content_filter", "content_filter"],
  ])("after a call %s is %s", (told, reason) => {
    expect(decode([call(0, "{}", "c0", "f"), ends(told)]).at(-1)).toEqual(finish(reason));
  });

  test("tells the text at which the origin stopped, and no token's number", () => {
    expect(decode([ends("stop", { stop_reason: "END" })]).at(-1)).toEqual(finish("stop", "END"));
    expect(decode([ends("stop", { stop_reason: 7 })]).at(-1)).toEqual(finish("stop"));
    expect(decode([ends("stop", { stop_reason: null })]).at(-1)).toEqual(finish("stop"));
  });

  test("is none while the chunks say null or nothing", () => {
    expect(decode([ends(null), ends(undefined)])).toEqual([START]);
  });
});

const of = (usage: unknown): unknown => decode([delta({}), { choices: [], usage }]).at(-1);

describe("the usage", () => {
  test("has every count that the origin tells", () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 30,
      total_tokens: 130,
      prompt_tokens_details: { cached_tokens: 64, cache_write_tokens: 16 },
      completion_tokens_details: { reasoning_tokens: 12 },
    };
    expect(of(usage)).toEqual({
      type: "usage",
      usage: { prompt: 100, completion: 30, cached: 64, written: 16, reasoning: 12, estimated: false },
    });
  });

  test("leaves open what the origin does not tell", () => {
    const bare = { prompt: 2, completion: 3, cached: undefined, written: undefined, reasoning: undefined };
    const counts = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };
    expect(of(counts)).toEqual({ type: "usage", usage: { ...bare, estimated: false } });
    expect(
      of({ ...counts, prompt_tokens_details: null, completion_tokens_details: { reasoning_tokens: null } }),
    ).toEqual({
      type: "usage",
      usage: { ...bare, estimated: false },
    });
    expect(of({ ...counts, estimated: true })).toEqual({ type: "usage", usage: { ...bare, estimated: true } });
  });

  test("that is none is no event", () => {
    for (const usage of [undefined, null, {}, "many", { prompt_tokens: 2 }]) {
      expect(decode([delta({}), { choices: [], usage }])).toEqual([START]);
    }
  });

  test("on a chunk that says something is not the whole stream's", () => {
    const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };
    expect(decode([delta({}), { ...delta({ content: "a" }), usage }])).toEqual([START, text("a")]);
  });
});
