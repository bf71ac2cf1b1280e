/** Frames of `/inference/v1/generate` as vLLM's Python server writes them: tokens, and no model's name. */
import { frame, type Ask, type Script } from "./frames.ts";

const CHUNK = { request_id: "generate-tokens-8f208927154e48b8", usage: null, output_mode: "tokens" };

export function generate({ usage }: Ask): Script {
  const say = (step: number, finish: string | null = null) =>
    frame({
      ...CHUNK,
      choices: [
        {
          index: 0,
          finish_reason: finish,
          stop_reason: null,
          token_ids: [70 + (step % 4000)],
          routed_experts: null,
          sampling_mask: null,
          weight_versions: finish === null ? null : [{ version: "default", start: 0, end: 201 }],
          logprobs: null,
        },
      ],
    });
  const counts = {
    prompt_tokens: 4,
    total_tokens: 205,
    completion_tokens: 201,
    prompt_tokens_details: { cached_tokens: 0 },
  };
  return {
    opening: [say(0)],
    middle: (step) => [say(step)],
    closing: [say(7, "stop"), ...(usage ? [frame({ ...CHUNK, usage: counts, choices: [] })] : [])],
  };
}
