/** What a client is owed for a chat stream that an origin sent: its content, and the rules that every stream keeps. */
import { expect } from "vitest";
import { chatContent, type ChoiceContent } from "./chat-content.ts";
import { chatBreaches, type Expected } from "./chat-grammar.ts";
import { asObject, readChatRecords, type Json } from "./chat-records.ts";

export function asksForUsage(request: Json): boolean {
  return asObject(request["stream_options"])["include_usage"] === true;
}

export function expectedOf(request: Json): Expected {
  const options = asObject(request["stream_options"]);
  const continuous = options["continuous_usage_stats"] === true ? "continuous" : "final";
  return {
    choices: typeof request["n"] === "number" ? request["n"] : 1,
    usage: asksForUsage(request) ? continuous : "none",
    ...(typeof request["model"] === "string" && { model: request["model"] }),
  };
}

/** Fails unless `heard` keeps the rules and holds, up to an error event, all that the origin `said`. */
export function expectOwed(request: Json, said: string, heard: string): void {
  expect(chatBreaches(heard, expectedOf(request))).toEqual([]);
  const origin = contentOf(said);
  const client = contentOf(heard);
  const owed = new Map([...origin.choices].map(([index, content]) => [index, repaired(content, request)]));
  expect(client.choices).toEqual(owed);
  expect(client.top).toEqual(origin.top);
}

function contentOf(stream: string): ReturnType<typeof chatContent> {
  const { chunks } = readChatRecords(stream);
  return chatContent(chunks.map(({ json }) => json).filter((json) => !("error" in json)));
}

/** What a client must find in the end for what the origin said of one choice. */
function repaired(content: ChoiceContent, request: Json): ChoiceContent {
  const calls = request["parallel_tool_calls"] === false ? content.calls.slice(0, 1) : content.calls;
  const finish = calls.length > 0 && content.finish === "stop" ? "tool_calls" : content.finish;
  return { ...content, calls, finish };
}
