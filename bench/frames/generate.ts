/** Frames of `/inference/v1/generate` as vLLM's Python server writes them: tokens, and no model's name. */
import { countsOf, frame, TOKENS, tokensAt, type Ask, type Script } from "./frames.ts";

const CHUNK = { request_id: "generate-tokens-8f208927154e48b8", usage: null, output_mode: "tokens" };
const PROMPT = 4;
const NO_DETAILS = { prompt_tokens_details: null, completion_tokens_details: null };

export function generate({ usage }: Ask): Script {
  const say = (step: number, tokens: number, finish: string | null = null) =>
    frame({
      ...CHUNK,
      ...(usage === "each" && { usage: { ...countsOf(PROMPT, tokens), ...NO_DETAILS } }),
      choices: [
        {
          index: 0,
          finish_reason: finish,
          stop_reason: null,
          token_ids: [70 + (step % 4000)],
          routed_experts: null,
          sampling_mask: null,
          weight_versions: finish === null ? null : [{ version: "default", start: 0, end: TOKENS }],
          logprobs: null,
        },
      ],
    });
  const counts = { ...countsOf(PROMPT, TOKENS), prompt_tokens_details: { cached_tokens: 0 } };
  return {
    opening: [say(0, 1)],
    middle: (step) => [say(step, tokensAt(step))],
    closing: [say(7, TOKENS, "stop"), ...(usage === "none" ? [] : [frame({ ...CHUNK, usage: counts, choices: [] })])],
  };
}
