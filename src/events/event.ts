/**
 * The neutral language between what vLLM says and what clients of other protocols than its own read. A stream of it obeys
 * `grammar.ts`: one start, parts one after the other, one finish, one usage; or an error, wherever it stands, and nothing
 * after it.
 */
import type { GatewayError } from "../core/errors.ts";
import type { Usage } from "./usage.ts";

export type StreamEvent =
  | StartEvent
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | ToolCallEvent
  | FinishEvent
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "error"; readonly error: GatewayError };

export interface StartEvent {
  readonly type: "start";
  /** What is known of the prompt by then; `undefined` when the origin does not tell before the end. */
  readonly usage: Usage | undefined;
}

/** One call is open at a time: each is started, given its arguments piece by piece, and completed. */
export type ToolCallEvent =
  | { readonly type: "tool_call_start"; readonly id: string; readonly name: string }
  /** `text` is a piece of the arguments' JSON text, and not empty. */
  | { readonly type: "tool_call_delta"; readonly text: string }
  | { readonly type: "tool_call_complete" };

export interface FinishEvent {
  readonly type: "finish";
  readonly reason: FinishReason;
  /** The text at which the origin stopped, where it tells one. */
  readonly stopText: string | undefined;
}

/** A closed list: what an origin says beyond it stands for one of these. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";
