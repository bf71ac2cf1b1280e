import { expect } from "vitest";

import { calls, argumentsOf, contentOf, isJson, LAST, type Checks } from "../support/seen.ts";

/** Tool-call faults, asked with tools of the request. */
export const CALLS: Checks = {
  "tool-no-index": (a) => expect(calls(a).some((call) => "index" in call)).toBe(false),
  "tool-id-again": (a) => expect(new Set(calls(a).map((call) => call["id"])).size).toBe(1),
  "tool-id-again?as=empty": (a) => expect(calls(a).at(-1)?.["id"]).toBe(""),
  "tool-args-object": (a) => expect(JSON.stringify(calls(a))).toContain('"arguments":{"city":'),
  "tool-args-null": (a) => expect(JSON.stringify(calls(a)[0])).toContain('"arguments":null'),
  "tool-name-again": (a) => expect(JSON.stringify(calls(a)).match(/get_weather/g)?.length).toBe(calls(a).length),
  "tool-type-missing": (a) => expect(calls(a).some((call) => "type" in call)).toBe(false),
  "tool-interleaved": (a) =>
    expect(
      calls(a)
        .map((call) => call["index"])
        .slice(0, 5),
    ).toEqual([0, 1, 0, 1, 0]),
  "tool-broken": (a) => expect([a.finishes, isJson(argumentsOf(a))]).toEqual([["tool_calls"], false]),
  "tool-no-args": (a) => expect(calls(a).map((call) => call["function"])).toEqual([{ name: "get_weather" }]),
  "tool-two-not-parallel": (a) => expect(new Set(calls(a).map((call) => call["index"])).size).toBe(2),
  "tool-space": (a) => expect(a.deltas.map(contentOf).join("")).toBe("\n\n\n \n"),
  "tool-stop": (a) => expect([a.finishes, isJson(argumentsOf(a))]).toEqual([["stop"], true]),
  "tool-length": (a) => expect([a.finishes, isJson(argumentsOf(a))]).toEqual([["length"], false]),
  "tool-legacy": (a) =>
    expect([a.finishes, a.text.includes('"function_call":{"name"')]).toEqual([["function_call"], true]),
};

/** Faults of choices, asked with n=2. */
export const CHOICES: Checks = {
  "one-of-two": (a) => expect([a.finishes, a.text.endsWith(LAST)]).toEqual([["stop"], true]),
  "one-of-two-cut": (a) => expect([a.finishes, a.text.includes("[DONE]")]).toEqual([["stop"], false]),
};
