/** What a stream of events may look like. Tests hold every stream against it. */
import type { StreamEvent } from "./event.ts";

type State = "begin" | "parts" | "tool_call" | "finished" | "complete" | "over";

const NEXT: Readonly<Record<State, Partial<Record<StreamEvent["type"], State>>>> = {
  begin: { start: "parts", error: "over" },
  parts: { text: "parts", reasoning: "parts", tool_call_start: "tool_call", finish: "finished", error: "over" },
  tool_call: { tool_call_delta: "tool_call", tool_call_complete: "parts", error: "over" },
  finished: { usage: "complete", error: "over" },
  complete: { error: "over" },
  over: {},
};

/** Returns what is wrong with a whole stream of events, in words; `undefined` when nothing is. */
export function grammarFault(events: readonly StreamEvent[]): string | undefined {
  let state: State = "begin";
  for (const [at, event] of events.entries()) {
    const next: State | undefined = NEXT[state][event.type];
    if (next === undefined) return `event ${at}: ${event.type} in the state ${state}`;
    if (isEmpty(event)) return `event ${at}: ${event.type} says nothing`;
    state = next;
  }
  return state === "complete" || state === "over" ? undefined : `ends in the state ${state}`;
}

function isEmpty(event: StreamEvent): boolean {
  const { type } = event;
  return (type === "text" || type === "reasoning" || type === "tool_call_delta") && event.text === "";
}
