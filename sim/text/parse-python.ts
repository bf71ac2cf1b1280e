import { createJsonScan, type JsonScan } from "./json-scan.ts";
import { MARKS, type ParserOptions, type Part, type TextParser } from "./parse.ts";

type State =
  | { at: "reasoning" }
  | { at: "content" }
  | { at: "call-head"; seen: string }
  | { at: "call-key"; seen: string }
  | { at: "arguments"; scan: JsonScan; held: string; begun: boolean }
  | { at: "call-tail" }
  | { at: "after-call" };

/**
 * vLLM's hermes tool parser behind its qwen3 reasoning parser, as the Python server shows them: everything before
 * `</think>` is reasoning, mark or not; `<tool_call>` ends reasoning too; text after a call is dropped; a call's
 * name is out as soon as it is complete, its arguments as they come, and what follows them is dropped.
 */
export function createPythonParser(options: ParserOptions): TextParser {
  let state: State = options.reasoning && options.thinking ? { at: "reasoning" } : { at: "content" };
  let index = -1;

  const argumentsIn = (text: string): Part[] => {
    if (state.at !== "arguments") return [];
    let out = "";
    for (const character of text) {
      const place = state.scan.feed(character);
      if (place === "after") {
        state = { at: "call-tail" };
        break;
      }
      // White space is held: before `</tool_call>` it is not part of the arguments.
      if (/\s/.test(character)) state.held += character;
      else {
        out += state.begun ? state.held + character : character;
        state.held = "";
        state.begun = true;
      }
      if (place === "last") {
        state = { at: "call-tail" };
        break;
      }
    }
    return out === "" ? [] : [{ kind: "arguments", index, text: out }];
  };

  const keyIn = (text: string): Part[] => {
    if (state.at !== "call-key") return [];
    const seen: string = state.seen + text;
    const match = /"arguments"\s*:\s*/.exec(seen);
    if (match === null) {
      state = { at: "call-key", seen };
      return [];
    }
    state = { at: "arguments", scan: createJsonScan(), held: "", begun: false };
    return argumentsIn(seen.slice(match.index + match[0].length));
  };

  const headIn = (text: string): Part[] => {
    if (state.at !== "call-head") return [];
    const seen: string = state.seen + text;
    const match = /"name"\s*:\s*"([^"]+)"/.exec(seen);
    if (match === null) {
      state = { at: "call-head", seen };
      return [];
    }
    index += 1;
    state = { at: "call-key", seen: "" };
    const rest = keyIn(seen.slice(match.index + match[0].length));
    return [{ kind: "call", index, name: match[1] ?? "" }, ...rest];
  };

  return {
    push(text) {
      if (text === MARKS.call && options.tools) {
        state = { at: "call-head", seen: "" };
        return [];
      }
      switch (state.at) {
        case "reasoning":
          if (text === MARKS.think) return [];
          if (text === MARKS.thinkEnd || text === MARKS.call) state = { at: "content" };
          if (text === MARKS.thinkEnd) return [];
          return [{ kind: state.at === "content" ? "content" : "reasoning", text }];
        case "content":
          return text === "" ? [] : [{ kind: "content", text }];
        case "after-call":
          return [];
        case "call-head":
        case "call-key":
        case "arguments":
        case "call-tail":
          if (text === MARKS.callEnd) {
            state = { at: "after-call" };
            return [];
          }
          return state.at === "call-head"
            ? headIn(text)
            : state.at === "call-key"
              ? keyIn(text)
              : state.at === "arguments"
                ? argumentsIn(text)
                : [];
      }
    },
    end: () => [],
  };
}
