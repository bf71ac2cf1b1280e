import type { OperationName } from "../engine/operation.ts";

export const CHAT_ONLY: readonly OperationName[] = ["chat"];

/** Where text is streamed: generate streams ids. */
export const TEXTUAL: readonly OperationName[] = ["chat", "completions"];

export const STREAMED: readonly OperationName[] = [...TEXTUAL, "generate"];

export const EVERYWHERE: readonly OperationName[] = [...STREAMED, "relay"];
