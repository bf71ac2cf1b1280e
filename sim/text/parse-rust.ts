import { createJsonScan, type JsonScan } from "./json-scan.ts";
import { MARKS, type ParserOptions, type Part, type TextParser } from "./parse.ts";

type State =
  | { at: "text" }
  | { at: "reasoning"; held: string; started: boolean }
  | { at: "after-reasoning" }
  | { at: "call-head"; seen: string }
  | { at: "arguments"; scan: JsonScan }
  | { at: "call-tail" };

const HEAD = /^\s*\{\s*"name"\s*:\s*"((?:[^"\\]|\\.)*)"\s*,\s*"arguments"\s*:\s*(?=\S)/;

/**
 * The Rust front end's hermes and qwen3 parsers: reasoning only between its marks, trimmed, as is the white space
 * after it; text between and after calls is kept; a call appears with the first character of its arguments, and a
 * call cut before that comes out as text; `</tool_call>` inside unfinished JSON is part of the arguments.
 */
export function createRustParser(options: ParserOptions): TextParser {
  let state: State = { at: "text" };
  let index = -1;

  const dropped = (): boolean => options.onlyFirstCall && index > 0;

  const argumentsIn = (text: string): Part[] => {
    if (state.at !== "arguments") return [];
    let out = "";
    for (const character of text) {
      const place = state.scan.feed(character);
      if (place !== "after") out += character;
      if (place !== "inside") {
        state = { at: "call-tail" };
        break;
      }
    }
    return out === "" || dropped() ? [] : [{ kind: "arguments", index, text: out }];
  };

  const headIn = (seen: string): Part[] => {
    const match = HEAD.exec(seen);
    if (match === null) {
      state = { at: "call-head", seen };
      return [];
    }
    index += 1;
    state = { at: "arguments", scan: createJsonScan() };
    const rest = argumentsIn(seen.slice(match[0].length));
    return dropped() ? [] : [{ kind: "call", index, name: match[1] ?? "" }, ...rest];
  };

  const reasoningIn = (text: string): Part[] => {
    if (state.at !== "reasoning") return [];
    const all: string = state.held + (state.started ? text : text.trimStart());
    const out = all.trimEnd();
    state = { at: "reasoning", held: all.slice(out.length), started: state.started || out !== "" };
    return out === "" ? [] : [{ kind: "reasoning", text: out }];
  };

  const textIn = (text: string): Part[] => {
    if (text === "") return [];
    if (text === MARKS.call && options.tools) {
      state = { at: "call-head", seen: "" };
      return [];
    }
    if (text === MARKS.think && options.reasoning) {
      state = { at: "reasoning", held: "", started: false };
      return [];
    }
    state = { at: "text" };
    return [{ kind: "content", text }];
  };

  return {
    push(text) {
      switch (state.at) {
        case "text":
          return textIn(text);
        case "reasoning":
          if (text === MARKS.thinkEnd) {
            state = { at: "after-reasoning" };
            return [];
          }
          return reasoningIn(text);
        case "after-reasoning":
          return textIn(text.trimStart());
        case "call-head":
          return headIn(state.seen + text);
        case "arguments":
          return argumentsIn(text);
        case "call-tail":
          if (text === MARKS.callEnd) state = { at: "text" };
          return [];
      }
    },
    end() {
      const text = state.at === "call-head" ? state.seen.trimStart() : "";
      return text === "" ? [] : [{ kind: "content", text }];
    },
  };
}
