/** The message and its blocks, as Anthropic's newest types have them: https://docs.anthropic.com/en/api/messages */
import type { FinishEvent } from "../../events/event.ts";

/** What an answer is told with that is not in the origin's stream. */
export interface MessageParts {
  /** Of the message, `msg_…`. */
  readonly id: string;
  /** As the client named it. */
  readonly model: string;
  readonly stopSequences: readonly string[];
  /** Whether thinking blocks are sent without their text. */
  readonly omitsThinking: boolean;
}

/**
 * Clients send it back, and some send thinking back only if it has one. Nobody signs here and nobody checks: any text
 * will do that is not empty.
 */
export const SIGNATURE = "c2x1aWNlOnVuc2lnbmVk";

export interface Stop {
  readonly stop_reason: "end_turn" | "max_tokens" | "tool_use" | "stop_sequence" | "refusal";
  readonly stop_sequence: string | null;
  readonly stop_details: object | null;
}

/** Returns why the message stopped. A stop text counts when the client had asked for it: an origin has others of its own. */
export function readStop({ reason, stopText }: FinishEvent, stopSequences: readonly string[]): Stop {
  switch (reason) {
    case "length":
      return stop("max_tokens");
    case "tool_calls":
      return stop("tool_use");
    case "content_filter":
      return { ...stop("refusal"), stop_details: { type: "refusal", category: null, explanation: null } };
    case "stop": {
      const asked = stopText !== undefined && stopSequences.includes(stopText);
      return asked ? { ...stop("stop_sequence"), stop_sequence: stopText } : stop("end_turn");
    }
  }
}

function stop(reason: Stop["stop_reason"]): Stop {
  return { stop_reason: reason, stop_sequence: null, stop_details: null };
}

/** Returns a message of `content`; while it streams it has not stopped yet. */
export function writeMessage(
  { id, model }: MessageParts,
  content: readonly object[],
  stopped: Stop | undefined,
  usage: object,
): object {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: stopped?.stop_reason ?? null,
    stop_sequence: stopped?.stop_sequence ?? null,
    stop_details: stopped?.stop_details ?? null,
    container: null,
    diagnostics: null,
    usage,
  };
}

export function textBlock(text: string): object {
  return { type: "text", text, citations: null };
}

export function thinkingBlock(thinking: string, signature: string): object {
  return { type: "thinking", thinking, signature };
}

export function toolUseBlock(id: string, name: string, input: unknown): object {
  return { type: "tool_use", id, name, input, caller: { type: "direct" } };
}
