/** Frames of `/v1/completions` as vLLM's Python server writes them: the last word carries the finish. */
import { frame, word, type Ask, type Script } from "./frames.ts";

const CHUNK = { id: "cmpl-8cbe6d24420dd1cf", object: "text_completion", created: 1795968741 };
const FINGERPRINT = { system_fingerprint: "vllm-0.32.0-3195127f" };

export function completions({ model, usage }: Ask): Script {
  const say = (step: number, finish: string | null = null) => ({
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
  });
  const counts = {
    prompt_tokens: 6,
    total_tokens: 207,
    completion_tokens: 201,
    prompt_tokens_details: { cached_tokens: 0 },
  };
  return {
    opening: [frame(say(0))],
    middle: (step) => [frame(say(step))],
    closing: usage
      ? [frame(say(7, "length")), frame({ ...CHUNK, model, choices: [], usage: counts, ...FINGERPRINT })]
      : [frame({ ...say(7, "length"), ...FINGERPRINT })],
  };
}
