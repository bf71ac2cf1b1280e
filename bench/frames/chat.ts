/** Chat frames as vLLM's Python server writes them: every field that it puts there, in its order. */
import { countsOf, frame, TOKENS, tokensAt, word, type Ask, type Script } from "./frames.ts";

const CHUNK = { id: "chatcmpl-9e848225c24d79ce", object: "chat.completion.chunk", created: 1795968722 };
const PROMPT = 20;

export type Speak = (step: number) => object;

export const content: Speak = (step) => ({ content: word(step) });
export const reasoning: Speak = (step) => ({ reasoning: word(step) });

/** How much has been said so far, in tokens. */
export interface Said {
  readonly tokens: number;
  /** Of those, what was thought. */
  readonly thought: number;
}

/** A chat stream of `choices` choices whose every step says one delta in each. */
export function chat(speak: Speak, ask: Ask, choices = 1): Script {
  const indexes = Array.from({ length: choices }, (_, index) => index);
  const said = speak === reasoning ? thoughts : words;
  const say = (step: number, tokens: number) => indexes.map((index) => middle(ask, index, speak(step), said(tokens)));
  const role = indexes.map((index) => opening(ask, index));
  return {
    opening: [...role, ...say(0, 1)],
    middle: (step) => say(step, tokensAt(step)),
    closing: [...indexes.map((index) => finish(ask, index, "stop", said(TOKENS))), ...usageFrames(ask, said(TOKENS))],
  };
}

/** A stream of thoughts, and one word after them. */
export function thoughtful(ask: Ask): Script {
  const { closing, ...thinking } = chat(reasoning, ask);
  return { ...thinking, closing: [middle(ask, 0, content(0), thoughts(TOKENS)), ...closing] };
}

export function words(tokens: number): Said {
  return { tokens, thought: 0 };
}

/** The last token is none: it ends the answer, or is its only word. */
function thoughts(tokens: number): Said {
  return { tokens, thought: Math.min(tokens, TOKENS - 1) };
}

export function opening(ask: Ask, index: number): string {
  const delta = { role: "assistant", content: "" };
  const choice = { index, delta, logprobs: null, finish_reason: null };
  const nulls = { prompt_token_ids: null, prompt_text: null };
  return frame({ ...CHUNK, model: ask.model, choices: [choice], ...running(ask, words(0)), ...nulls });
}

export function middle(ask: Ask, index: number, delta: object, said: Said): string {
  const choice = { index, delta, logprobs: null, finish_reason: null, token_ids: null };
  return frame({ ...CHUNK, model: ask.model, choices: [choice], ...running(ask, said) });
}

/** The fingerprint stands on the last frame of all, which is usage where there is any. */
export function finish(ask: Ask, index: number, reason: string, said: Said): string {
  const choice = { index, delta: {}, logprobs: null, finish_reason: reason, stop_reason: null, token_ids: null };
  const fingerprint = ask.usage === "none" ? FINGERPRINT : {};
  return frame({ ...CHUNK, model: ask.model, choices: [choice], ...running(ask, said), ...fingerprint });
}

/** The frame of usage, where there is to be one. */
export function usageFrames({ model, usage: asked }: Ask, { tokens, thought }: Said): string[] {
  if (asked === "none") return [];
  const usage = {
    ...countsOf(PROMPT, tokens),
    prompt_tokens_details: { cached_tokens: 0, created_cache_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: thought },
  };
  return [frame({ ...CHUNK, model, choices: [], usage, ...FINGERPRINT })];
}

/** What a frame tells of usage beside its choice. */
function running({ usage: asked }: Ask, { tokens, thought }: Said): object {
  if (asked !== "each") return {};
  return { usage: { ...countsOf(PROMPT, tokens), completion_tokens_details: { reasoning_tokens: thought } } };
}

const FINGERPRINT = { system_fingerprint: "vllm-0.32.0-3195127f" };
