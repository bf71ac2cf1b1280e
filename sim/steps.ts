import type { Json, JsonObject } from "./json.ts";
import { pythonJson } from "./text/python-json.ts";

export type Header = readonly [name: string, value: string];

/** What an event of a stream is for; faults find their place by it. */
export type FrameKind = "role" | "delta" | "finish" | "usage" | "error";

/**
 * One thing the origin does. An answer is a lazy list of steps; a fault maps one list to another.
 *
 * - `head`: the status and headers of a streamed body; `framing` says how the body is delimited:
 *   "chunked" (each write is one HTTP chunk) or "raw" (the headers given say it, or the close does).
 * - `reply`: a whole answer with its own content-length. `body` is JSON, text, or nothing.
 * - `frame`: one event, written as `data: {chunk}` and a blank line in one socket write; `spaced` as Python's `json`
 *   module writes it, with spaces.
 * - `done` and `comment`: `data: [DONE]` and `: keep-alive`.
 * - `write`: bytes as they are, in one socket write. `frames` counts the events in them (default 0).
 * - `wait`: a pause in milliseconds. `flush`: lets the socket send what it has as a packet of its own.
 * - `gate`: waits until `POST /sim/gates/NAME`. `hold`: waits until the client goes.
 *   Both write a comment every `comments` milliseconds if that is given.
 * - `end`: the body is complete. `close`: FIN without that. `reset`: RST.
 */
export type Step =
  | { do: "head"; status: number; headers: readonly Header[]; framing: "chunked" | "raw" }
  | { do: "reply"; status: number; headers: readonly Header[]; body: Json | undefined }
  | { do: "frame"; kind: FrameKind; choice: number; chunk: JsonObject; spaced?: boolean }
  | { do: "done" }
  | { do: "comment" }
  | { do: "write"; bytes: string | Uint8Array; frames?: number }
  | { do: "wait"; ms: number }
  | { do: "flush" }
  | { do: "gate"; name: string; comments?: number }
  | { do: "hold"; comments?: number }
  | { do: "end" }
  | { do: "close" }
  | { do: "reset" };

export type Steps = Iterable<Step>;

/** The text of a step that writes an event or a comment, undefined for any other step. */
export function textOf(step: Step): string | undefined {
  if (step.do === "frame") {
    return `data: ${step.spaced === true ? pythonJson(step.chunk) : JSON.stringify(step.chunk)}\n\n`;
  }
  if (step.do === "done") return "data: [DONE]\n\n";
  if (step.do === "comment") return ": keep-alive\n\n";
  return undefined;
}
