import { expect } from "vitest";
import type { Case, Rows, StreamResponse, WholeResponse } from "../support/row.ts";
import type { AnswerStream, ToolCall } from "../support/stream.ts";
import { CALLING, TIME, WEATHER } from "./tools.ts";

const ONE: StreamResponse = {
  frames: ["role", "call 0 get_weather", "args 0", "finish tool_calls", "done"],
  calls: [WEATHER],
};
const TWO: StreamResponse = {
  frames: ["role", "call 0 get_weather", "args 0", "call 1 get_time", "args 1", "finish tool_calls", "done"],
  calls: [WEATHER, TIME],
};

/** White space before, between and after the calls. */
const SPACED =
  "role, text, call 0 get_weather, args 0, text, call 1 get_time, args 1, text, finish tool_calls, done".split(", ");

const whole = (...calls: readonly ToolCall[]): WholeResponse => ({ answer: { finish: "tool_calls" }, calls });

/** One call in the strict form, from a stream and from a whole answer. */
const STRICT: readonly Case[] = [
  { it: "the client gets one strict form", request: CALLING, gets: ONE },
  { it: "the client gets one strict form", request: CALLING, whole: true, gets: whole(WEATHER) },
];

/** The arguments came as an object, so their white space is ours. */
const COMPACT: ToolCall = { name: "get_weather", arguments: '{"city":"Łódź","days":1}' };
/** As far as the arguments come that stop in their middle. */
const BROKEN: ToolCall = { name: "get_weather", arguments: '{"city": "Łód' };

export const rows: Rows = {
  "tool-no-index": STRICT,
  "tool-id-again": [
    ...STRICT,
    {
      it: "an empty id on later fragments is none",
      switches: "as=empty",
      request: CALLING,
      gets: ONE,
    },
  ],
  "tool-args-object": [
    {
      it: "the client gets text for them",
      request: CALLING,
      gets: { ...ONE, frames: expect.arrayContaining(["call 0 get_weather", "finish tool_calls"]), calls: [COMPACT] },
    },
    { it: "the client gets text for them", request: CALLING, whole: true, gets: whole(COMPACT) },
  ],
  "tool-args-null": STRICT,
  "tool-name-again": STRICT,
  "tool-type-missing": STRICT,
  "tool-interleaved": [
    {
      it: "the client gets one call after the other, with none of their fragments lost",
      request: CALLING,
      gets: { ...TWO, also: expectFirstCallInPieces },
    },
    { it: "the client gets both calls", request: CALLING, whole: true, gets: whole(WEATHER, TIME) },
  ],
  "tool-broken": [
    {
      it: "a client that would run it is told instead that it is broken",
      in: ["messages"],
      request: CALLING,
      gets: {
        frames: ["role", "call 0 get_weather", "args 0", "error origin_protocol", "done"],
        calls: [BROKEN],
        error: { code: "origin_protocol" },
      },
      origin: "either",
    },
    { it: "the client gets it as it came", in: ["chat"], request: CALLING, gets: { ...ONE, calls: [BROKEN] } },
    { it: "the client gets it as it came", in: ["chat"], request: CALLING, whole: true, gets: whole(BROKEN) },
  ],
  "tool-no-args": [
    {
      it: "the client gets empty arguments",
      request: CALLING,
      gets: { ...ONE, calls: [{ name: "get_weather", arguments: "{}" }] },
    },
    {
      it: "the client gets empty arguments",
      request: CALLING,
      whole: true,
      gets: whole({ name: "get_weather", arguments: "{}" }),
    },
  ],
  "tool-two-not-parallel": [
    {
      it: "the client gets the first call and no white space after it, and the switch is not sent on",
      in: ["messages"],
      request: { ...CALLING, parallel_tool_calls: false },
      dialects: ["rust"],
      gets: ONE,
      unheard: ["parallel_tool_calls"],
    },
    {
      it: "the client gets the first call, and the switch is not sent on",
      request: { ...CALLING, parallel_tool_calls: false },
      dialects: ["python"],
      gets: ONE,
      unheard: ["parallel_tool_calls"],
    },
    {
      it: "the client gets the first call and the line break after it, and the switch is not sent on",
      in: ["chat"],
      request: { ...CALLING, parallel_tool_calls: false },
      dialects: ["rust"],
      gets: {
        frames: ["role", "call 0 get_weather", "args 0", "text", "finish tool_calls", "done"],
        text: "\n",
        calls: [WEATHER],
      },
      unheard: ["parallel_tool_calls"],
    },
    {
      it: "the client gets the first call, and the switch is not sent on",
      request: { ...CALLING, parallel_tool_calls: false },
      whole: true,
      gets: whole(WEATHER),
      unheard: ["parallel_tool_calls"],
    },
  ],
  "tool-space": [
    {
      it: "the client gets no part of nothing but white space",
      in: ["messages"],
      request: CALLING,
      gets: { ...TWO, text: "" },
    },
    {
      it: "the client gets it as it came",
      in: ["chat"],
      request: CALLING,
      gets: {
        frames: SPACED,
        text: "\n\n\n \n",
        calls: [WEATHER, TIME],
      },
    },
    {
      it: "the client gets it as it came",
      in: ["chat"],
      request: CALLING,
      whole: true,
      gets: { answer: { finish: "tool_calls", text: "\n\n\n \n" }, calls: [WEATHER, TIME] },
    },
  ],
  "tool-stop": STRICT,
  "tool-length": [
    {
      it: "the client gets length",
      request: CALLING,
      gets: { frames: ["role", "call 0 get_weather", "args 0", "finish length", "done"], calls: [BROKEN] },
    },
    {
      it: "the client gets length",
      request: CALLING,
      whole: true,
      gets: { answer: { finish: "length" }, calls: [BROKEN] },
    },
  ],
  "tool-legacy": STRICT,
};

/** The first call is not held back until the second is known: it comes in as many pieces as it was sent in. */
function expectFirstCallInPieces(stream: AnswerStream): void {
  const fragments = stream.choices().flatMap(({ delta }) => delta?.tool_calls ?? []);
  expect(fragments.filter(({ index }) => index === 0).length).toBeGreaterThan(5);
}
