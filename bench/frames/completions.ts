/** Frames of `/v1/completions` as vLLM's Python server writes them: the last word carries the finish. */
import { countsOf, frame, TOKENS, tokensAt, word, type Ask, type Script } from "./frames.ts";

const CHUNK = { id: "cmpl-8cbe6d24420dd1cf", object: "text_completion", created: 1795968741 };
const FINGERPRINT = { system_fingerprint: "vllm-0.32.0-3195127f" };
const PROMPT = 6;

export function completions({ model, usage }: Ask): Script {
  const say = (step: number, tokens: number, finish: string | null = null) => ({
    ...CHUNK,
    model,
    choices: [
      {
        index: 0,
        text: word(step),
        logprobs: null,
        finish_reason: finish,
        stop_reason: null,
        prompt_token_ids: null,
        token_ids: null,
      },
    ],
    ...(usage === "each" && { usage: countsOf(PROMPT, tokens) }),
  });
  const counts = { ...countsOf(PROMPT, TOKENS), prompt_tokens_details: { cached_tokens: 0 } };
  const last = say(7, TOKENS, "length");
  return {
    opening: [frame(say(0, 1))],
    middle: (step) => [frame(say(step, tokensAt(step)))],
    closing:
      usage === "none"
        ? [frame({ ...last, ...FINGERPRINT })]
        : [frame(last), frame({ ...CHUNK, model, choices: [], usage: counts, ...FINGERPRINT })],
  };
}
