/** What a server's parsers make of the model's text. */
export type Part =
  | { kind: "content"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "call"; index: number; name: string }
  | { kind: "arguments"; index: number; text: string };

export interface TextParser {
  /** Takes the text of one token; a mark is a token of its own. */
  push(text: string): Part[];
  /** The text is over: what was held comes out or is lost, as the server does it. */
  end(): Part[];
}

export interface ParserOptions {
  /** The text starts inside the reasoning even without a mark (Python's qwen3 parser; Rust waits for the mark). */
  thinking: boolean;
  /** A reasoning parser is configured; without one its marks are text. */
  reasoning: boolean;
  /** Tool calls are looked for: tools were given and are allowed. */
  tools: boolean;
  /** Calls after the first are dropped (Rust, `parallel_tool_calls: false`). */
  onlyFirstCall: boolean;
}

export const MARKS = {
  think: "<think>",
  thinkEnd: "</think>",
  call: "<tool_call>",
  callEnd: "</tool_call>",
} as const;
