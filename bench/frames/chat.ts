/** Chat frames as vLLM's Python server writes them: every field that it puts there, in its order. */
import { frame, word, type Ask, type Script } from "./frames.ts";

const CHUNK = { id: "chatcmpl-9e848225c24d79ce", object: "chat.completion.chunk", created: 1795968722 };

export type Speak = (step: number) => object;

export const content: Speak = (step) => ({ content: word(step) });
export const reasoning: Speak = (step) => ({ reasoning: word(step) });

/** A chat stream of `choices` choices whose every step says one delta in each. */
export function chat(speak: Speak, { model, usage }: Ask, choices = 1): Script {
  const indexes = Array.from({ length: choices }, (_, index) => index);
  const say = (step: number) => indexes.map((index) => middle(model, index, speak(step)));
  const role = indexes.map((index) => opening(model, index));
  return {
    opening: [...role, ...say(0)],
    middle: say,
    closing: [...indexes.map((index) => finish(model, index, "stop", usage)), ...(usage ? [usageFrame(model)] : [])],
  };
}

export function opening(model: string, index: number): string {
  const delta = { role: "assistant", content: "" };
  const choice = { index, delta, logprobs: null, finish_reason: null };
  return frame({ ...CHUNK, model, choices: [choice], prompt_token_ids: null, prompt_text: null });
}

export function middle(model: string, index: number, delta: object): string {
  const choice = { index, delta, logprobs: null, finish_reason: null, token_ids: null };
  return frame({ ...CHUNK, model, choices: [choice] });
}

/** The fingerprint stands on the last frame of all, which is usage where there is any. */
export function finish(model: string, index: number, reason: string, usage: boolean): string {
  const choice = { index, delta: {}, logprobs: null, finish_reason: reason, stop_reason: null, token_ids: null };
  return frame({ ...CHUNK, model, choices: [choice], ...(usage ? {} : FINGERPRINT) });
}

export function usageFrame(model: string): string {
  const usage = {
    prompt_tokens: 20,
    total_tokens: 221,
    completion_tokens: 201,
    prompt_tokens_details: { cached_tokens: 0, created_cache_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
  return frame({ ...CHUNK, model, choices: [], usage, ...FINGERPRINT });
}

const FINGERPRINT = { system_fingerprint: "vllm-0.32.0-3195127f" };
