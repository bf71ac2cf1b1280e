import { isFirst, type Output } from "../engine/outputs.ts";
import type { Json, JsonObject } from "../json.ts";
import { generateLogprobs } from "./generate-logprobs.ts";
import { hex } from "./ids.ts";
import { promptLogprobs } from "./prompt-logprobs.ts";
import { counts, pythonLastUsage, pythonWholeUsage } from "./usage.ts";
import { frameOf, promptIdsOf, usageStep, weightVersions, type Answer, type Wire } from "./wire.ts";

/** Generate as the Python server frames it: nulls are written, the finish rides on the last ids. */
export const pythonGenerate: Wire = {
  id: (requestId) => `generate-tokens-${requestId ?? hex(16)}`,
  finish: "riding",
  opening: () => [],
  frames(answer, output) {
    const { choice, completion } = output;
    const details = { prompt_tokens_details: null, completion_tokens_details: null };
    const usage = answer.usage.each ? { ...counts(answer, completion, choice), ...details } : null;
    const prompt = isFirst(output) ? promptIdsOf(answer, choice) : null;
    return [frameOf(output, chunkOf(answer, usage, [choiceOf(answer, [output], choice)], prompt))];
  },
  usageFrame: (answer, completion) => usageStep(chunkOf(answer, pythonLastUsage(answer, completion), [], null)),
  whole(answer, choices) {
    const completion = choices.reduce((sum, outputs) => sum + (outputs.at(-1)?.completion ?? 0), 0);
    return {
      request_id: answer.id,
      model: answer.model,
      created: answer.created,
      usage: pythonWholeUsage(answer, completion),
      prompt_logprobs: promptLogprobs(answer),
      prompt_token_id_logprobs: null,
      prompt_token_ids: promptIdsOf(answer, 0),
      mm_placeholders: null,
      metrics: null,
      kv_transfer_params: null,
      ec_transfer_params: null,
      output_mode: "tokens",
      choices: choices.map((outputs, index) => choiceOf(answer, outputs, index)),
    };
  },
};

function chunkOf(answer: Answer, usage: Json, choices: JsonObject[], prompt: number[] | null): JsonObject {
  const ids = prompt === null ? {} : { prompt_token_ids: prompt };
  return { request_id: answer.id, usage, ...ids, output_mode: "tokens", choices };
}

function choiceOf(answer: Answer, outputs: Output[], index: number): JsonObject {
  const last = outputs.at(-1);
  const tokens = outputs.flatMap((output) => output.tokens);
  return {
    index,
    finish_reason: last?.finish?.reason ?? null,
    stop_reason: last?.finish?.stop ?? null,
    token_ids: tokens.map((token) => token.piece.id),
    routed_experts: null,
    sampling_mask: null,
    weight_versions: last?.finish == null ? null : weightVersions(last),
    logprobs: generateLogprobs(answer, tokens, "python"),
  };
}
