/** The trace of a request: taken over from its caller, or begun. */
import { describe, expect, test } from "vitest";
import { readTrace, traceHeaders } from "../../../src/core/trace.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

/** Ids as they come in life: the first is the span's. */
const IDS = ["1122334455664788899aabbccddeeff0", "a1a2a3a4a5a64788899aabbccddeeff1"];

function passedOn(headers: Readonly<Record<string, string>>): object {
  const ids = [...IDS];
  return traceHeaders(readTrace(new Headers(headers), (prefix) => prefix + ids.shift()));
}

const OUR_SPAN = "1122334455664788";
const NEW = { traceparent: `00-a1a2a3a4a5a64788899aabbccddeeff1-${OUR_SPAN}-01` };

/** What is passed on of `tracestate`. */
function state(tracestate: string): string | undefined {
  const headers = new Headers({ traceparent: `00-${TRACE_ID}-${PARENT}-01`, tracestate });
  return readTrace(headers, () => IDS[0] ?? "").state;
}

function list(count: number, of = (at: number) => `k${at}=v`): string {
  return Array.from({ length: count }, (_, at) => of(at)).join(",");
}

describe("traceparent", () => {
  test.each([
    [`00-${TRACE_ID}-${PARENT}-01`, "01"],
    [`00-${TRACE_ID}-${PARENT}-00`, "00"],
    [`00-${TRACE_ID}-${PARENT}-03`, "03"],
    [`00-${TRACE_ID}-${PARENT}-02`, "02"],
    // What no version knows yet is not passed on.
    [`00-${TRACE_ID}-${PARENT}-ff`, "03"],
    [`00-${TRACE_ID}-${PARENT}-08`, "00"],
    // A later version is read as this one, and passed on as this one.
    [`01-${TRACE_ID}-${PARENT}-01`, "01"],
    [`cc-${TRACE_ID}-${PARENT}-01-what-the-future-will-be-like`, "01"],
    [`  00-${TRACE_ID}-${PARENT}-01\t`, "01"],
  ])("%j goes on with a span of ours", (text, flags) => {
    expect(passedOn({ traceparent: text })).toEqual({ traceparent: `00-${TRACE_ID}-${OUR_SPAN}-${flags}` });
  });

  test.each([
    "",
    "00",
    `00-${TRACE_ID}-${PARENT}`,
    `00-${TRACE_ID}-${PARENT}-1`,
    `00-${TRACE_ID}-${PARENT}-01-`,
    `00-${TRACE_ID}-${PARENT}-01-more`,
    `cc-${TRACE_ID}-${PARENT}-01.more`,
    `ff-${TRACE_ID}-${PARENT}-01`,
    `00-${TRACE_ID.toUpperCase()}-${PARENT}-01`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE_ID}-${"0".repeat(16)}-01`,
    `00-${TRACE_ID.slice(1)}-${PARENT}-01`,
    `00-${TRACE_ID}0-${PARENT}-01`,
    `00_${TRACE_ID}_${PARENT}_01`,
    `00-${TRACE_ID}-${PARENT}-01, 00-${TRACE_ID}-${PARENT}-01`,
  ])("%j counts for nothing, and its tracestate too: a new trace begins", (text) => {
    expect(passedOn({ traceparent: text, tracestate: "a=1" })).toEqual(NEW);
  });

  test("that is not there begins a trace", () => {
    expect(passedOn({ tracestate: "a=1" })).toEqual(NEW);
    expect(readTrace(new Headers(), (prefix) => `${prefix}${"7".repeat(32)}`)).toEqual({
      traceId: "7".repeat(32),
      spanId: "7777777777777777",
      flags: "01",
      state: undefined,
    });
  });
});

describe("tracestate", () => {
  test.each([
    ["rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"],
    ["  rojo=1 ,\tcongo=2 ", "rojo=1,congo=2"],
    ["a=1,,b=2,", "a=1,b=2"],
    ["tenant@system=1", "tenant@system=1"],
    ["1a_-*/@=1", "1a_-*/@=1"],
    ["a=with blanks inside", "a=with blanks inside"],
    ["a= 1", "a= 1"],
    [list(32), list(32)],
    [`${"k".repeat(256)}=${"v".repeat(255)}`, `${"k".repeat(256)}=${"v".repeat(255)}`],
  ])("%j is passed on", (text, passed) => {
    expect(state(text)).toBe(passed);
  });

  test.each([
    "",
    ",",
    "a",
    "a=",
    "=1",
    "a=1=2",
    "A=1",
    "a b=1",
    "a=1,a=2",
    "a=\u00e9",
    "a=1;b=2,c",
    "_a=1",
    list(33),
    `${"k".repeat(257)}=1`,
    `a=${"v".repeat(257)}`,
  ])("%j is not", (text) => {
    expect(state(text)).toBeUndefined();
  });

  test("is cut to 512 characters: long members go first, then the last ones", () => {
    const long = `long=${"x".repeat(200)}`;
    expect(state(`${long},${list(31, (at) => `key${at}=0123456789`)}`)).toBe(list(30, (at) => `key${at}=0123456789`));
    expect(state(`a=1,${long},b=${"y".repeat(120)},c=${"z".repeat(120)},d=${"w".repeat(120)}`)).toBe(
      `a=1,b=${"y".repeat(120)},c=${"z".repeat(120)},d=${"w".repeat(120)}`,
    );
    expect(state(`a=1,${"k".repeat(256)}=${"v".repeat(256)}`)).toBe("a=1");
    expect(state(`${"k".repeat(256)}=${"v".repeat(256)}`)).toBeUndefined();
  });
});
