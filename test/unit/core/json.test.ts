import { describe, expect, test } from "vitest";
import { editObject, memberText, RawJson, type Edits } from "../../../src/core/json/edit.ts";
import { members } from "../../../src/core/json/members.ts";

interface Edit {
  readonly name: string;
  readonly text: string;
  readonly edits: Edits;
  readonly edited: string;
}

const PROTO: Edits = { ["__proto__"]: 2 };
const NO_PROTO: Edits = { ["__proto__"]: undefined };

const EDITS: readonly Edit[] = [
  { name: "nothing", text: '{ "a" : 1.0 }\n', edits: {}, edited: '{ "a" : 1.0 }\n' },
  { name: "the only member", text: '{"a":1}', edits: { a: 2 }, edited: '{"a":2}' },
  { name: "the first", text: '{"a":1,"b":2,"c":3}', edits: { a: 9 }, edited: '{"a":9,"b":2,"c":3}' },
  { name: "the middle one", text: '{"a":1,"b":2,"c":3}', edits: { b: 9 }, edited: '{"a":1,"b":9,"c":3}' },
  { name: "the last", text: '{"a":1,"b":2,"c":3}', edits: { c: 9 }, edited: '{"a":1,"b":2,"c":9}' },
  { name: "without the first", text: '{"a":1,"b":2,"c":3}', edits: { a: undefined }, edited: '{"b":2,"c":3}' },
  { name: "without the middle one", text: '{"a":1,"b":2,"c":3}', edits: { b: undefined }, edited: '{"a":1,"c":3}' },
  { name: "without the last", text: '{"a":1,"b":2,"c":3}', edits: { c: undefined }, edited: '{"a":1,"b":2}' },
  {
    name: "without the first two",
    text: '{"a":1,"b":2,"c":3}',
    edits: { a: undefined, b: undefined },
    edited: '{"c":3}',
  },
  { name: "without any", text: '{"a":1,"b":2}', edits: { a: undefined, b: undefined }, edited: "{}" },
  { name: "without any, spaced", text: '{ "a" : 1 , "b" : 2 }', edits: { a: undefined, b: undefined }, edited: "{ }" },
  {
    name: "all removed and one added",
    text: '{"a":1,"b":2}',
    edits: { a: undefined, b: undefined, c: 3 },
    edited: '{"c":3}',
  },
  {
    name: "one removed, one set, one added",
    text: '{"a":1,"b":2}',
    edits: { c: 3, a: undefined, b: null },
    edited: '{"b":null,"c":3}',
  },
  { name: "added to an empty object", text: "{}", edits: { a: 1, b: [] }, edited: '{"a":1,"b":[]}' },
  { name: "added to an empty object of spaces", text: " { \n } ", edits: { a: 1 }, edited: ' {"a":1 \n } ' },
  { name: "added at the end", text: '{"a":1 }', edits: { b: { c: "é" } }, edited: '{"a":1,"b":{"c":"é"} }' },
  { name: "the removal of what is not there", text: '{"a":1}', edits: { b: undefined }, edited: '{"a":1}' },
  {
    name: "digits of others stay",
    text: '{"seed":9223372036854775807,"t":1.0,"x":-0.0,"e":1E+2,"m":"a"}',
    edits: { m: "b" },
    edited: '{"seed":9223372036854775807,"t":1.0,"x":-0.0,"e":1E+2,"m":"b"}',
  },
  {
    name: "spellings of others stay",
    text: '{"u":"\\u00e9\\/","k\\u0065y":"天","m":1}',
    edits: { m: 2 },
    edited: '{"u":"\\u00e9\\/","k\\u0065y":"天","m":2}',
  },
  {
    name: "a nested member of the same name stays",
    text: '{"o":{"a":1},"l":[{"a":2}],"a":3}',
    edits: { a: 4 },
    edited: '{"o":{"a":1},"l":[{"a":2}],"a":4}',
  },
  {
    name: "of two of a key the last is set",
    text: '{"a":1,"b":2,"a":3}',
    edits: { a: 4 },
    edited: '{"a":1,"b":2,"a":4}',
  },
  { name: "of two of a key both are removed", text: '{"a":1,"b":2,"a":3}', edits: { a: undefined }, edited: '{"b":2}' },
  {
    name: "an escaped key is set and keeps its spelling",
    text: '{"mod\\u0065l":"x","b":1}',
    edits: { model: "y" },
    edited: '{"mod\\u0065l":"y","b":1}',
  },
  {
    name: "plain and escaped are one key",
    text: '{"model":"x","mod\\u0065l":"y"}',
    edits: { model: "z" },
    edited: '{"model":"x","mod\\u0065l":"z"}',
  },
  {
    name: "plain and escaped are removed together",
    text: '{"model":"x","mod\\u0065l":"y"}',
    edits: { model: undefined },
    edited: "{}",
  },
  { name: "a key with quotes and backslashes", text: '{"a\\"\\\\":1}', edits: { 'a"\\': 2 }, edited: '{"a\\"\\\\":2}' },
  { name: "an empty key", text: '{"":1,"a":2}', edits: { "": 3 }, edited: '{"":3,"a":2}' },
  { name: "a key of Unicode", text: '{"天🙂":1}', edits: { "天🙂": "é" }, edited: '{"天🙂":"é"}' },
  {
    name: "marks inside strings",
    text: '{"s":"}],{[\\"\\\\","t":["]}","\\\\\\""],"a":1}',
    edits: { a: 2 },
    edited: '{"s":"}],{[\\"\\\\","t":["]}","\\\\\\""],"a":2}',
  },
  {
    name: "white space everywhere",
    text: '\n{\t"a"\r\n:\t1 ,\n "b" : [ 1 , { } ]\n}\n',
    edits: { a: 2 },
    edited: '\n{\t"a"\r\n:\t2 ,\n "b" : [ 1 , { } ]\n}\n',
  },
  {
    name: "white space around what is removed",
    text: '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}',
    edits: { a: undefined, c: undefined },
    edited: '{\n  "b": 2\n}',
  },
  {
    name: "__proto__ is a key like any other",
    text: '{"__proto__":1,"a":1}',
    edits: PROTO,
    edited: '{"__proto__":2,"a":1}',
  },
  { name: "__proto__ added", text: "{}", edits: PROTO, edited: '{"__proto__":2}' },
  { name: "__proto__ removed", text: '{"__proto__":{"x":1},"a":1}', edits: NO_PROTO, edited: '{"a":1}' },
  {
    name: "what every object inherits is no edit",
    text: '{"toString":1,"constructor":2,"__proto__":3,"a":4}',
    edits: { a: 5 },
    edited: '{"toString":1,"constructor":2,"__proto__":3,"a":5}',
  },
  {
    name: "raw JSON goes in as it stands",
    text: '{"a":1}',
    edits: { a: new RawJson("1.0"), b: new RawJson("9223372036854775807") },
    edited: '{"a":1.0,"b":9223372036854775807}',
  },
  {
    name: "patterns of replacement are text",
    text: '{"a":1,"b":2}',
    edits: { a: "$&$1$$", b: undefined },
    edited: '{"a":"$&$1$$"}',
  },
];

describe("editObject", () => {
  test.for(EDITS)("$name", ({ text, edits, edited }) => {
    expect(editObject(text, edits)).toBe(edited);
    JSON.parse(edited);
  });
});

describe("memberText", () => {
  test.for([
    ['{"seed":9223372036854775807}', "seed", "9223372036854775807"],
    ['{"t":1.0}', "t", "1.0"],
    ['{ "t" : [ 1 , 2 ] , "u" : 1 }', "t", "[ 1 , 2 ]"],
    ['{"a":{"b":"}"} }', "a", '{"b":"}"}'],
    ['{"a":"\\\\"}', "a", '"\\\\"'],
    ['{"a":1,"a":2}', "a", "2"],
    ['{"model":1,"mod\\u0065l":2}', "model", "2"],
    ['{"a":true\n}', "a", "true"],
    ['{"a":null,"b":-1e5}', "b", "-1e5"],
    ['{"__proto__":1}', "__proto__", "1"],
  ] as const)("of %s, %s is %s", ([text, key, expected]) => {
    expect(memberText(text, key)).toBe(expected);
  });

  test.for(["b", "__proto__", "toString", ""])("of a key that is not there is undefined: %o", (key) => {
    expect(memberText('{"a":{"b":1}}', key)).toBeUndefined();
    expect(memberText("{}", key)).toBeUndefined();
  });
});

describe("members", () => {
  test("are listed as they stand, with their places", () => {
    expect(members(' { "a" : 1, "a":[],"b":"x" } ')).toEqual([
      { key: "a", start: 3, valueStart: 9, valueEnd: 10 },
      { key: "a", start: 12, valueStart: 16, valueEnd: 18 },
      { key: "b", start: 19, valueStart: 23, valueEnd: 26 },
    ]);
  });

  test("of an empty object are none", () => {
    expect(members("{}")).toEqual([]);
    expect(members("\r\n{\t}\r\n")).toEqual([]);
  });

  test("nesting may be deep", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    expect(memberText(`{"a":${deep},"b":1}`, "b")).toBe("1");
    expect(memberText(`{"a":${deep},"b":1}`, "a")).toBe(deep);
  });
});
