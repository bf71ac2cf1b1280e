import { isFirst, type Output } from "../engine/outputs.ts";
import type { JsonObject } from "../json.ts";
import { generateLogprobs } from "./generate-logprobs.ts";
import { hex } from "./ids.ts";
import { promptLogprobs } from "./prompt-logprobs.ts";
import { rustUsage } from "./usage.ts";
import { frameOf, promptIdsOf, usageStep, weightVersions, type Answer, type Wire } from "./wire.ts";

/** Generate as the Rust front end frames it: only what is set is written, and a whole answer has no usage. */
export const rustGenerate: Wire = {
  id: (requestId) => requestId ?? hex(8),
  finish: "riding",
  opening: () => [],
  frames(answer, output) {
    const { choice, finish, tokens, completion } = output;
    const logprobs = tokens.length > 0 ? generateLogprobs(answer, tokens, "rust") : null;
    const stop = finish?.stop ?? null;
    const shown: JsonObject = {
      index: choice,
      ...(logprobs === null ? {} : { logprobs }),
      ...(finish === null ? {} : { finish_reason: finish.reason }),
      ...(stop === null ? {} : { stop_reason: stop }),
      token_ids: tokens.map((token) => token.piece.id),
      ...(finish === null ? {} : { weight_versions: weightVersions(output) }),
    };
    const prompt = isFirst(output) ? promptIdsOf(answer, choice) : null;
    const ids = prompt === null ? {} : { prompt_token_ids: prompt };
    const usage = answer.usage.each ? { usage: rustUsage(answer, completion, 0, false) } : {};
    return [frameOf(output, { request_id: answer.id, choices: [shown], ...usage, ...ids })];
  },
  usageFrame: (answer, completion) =>
    usageStep({ request_id: answer.id, choices: [], usage: rustUsage(answer, completion, 0, true) }),
  whole: (answer, choices) => ({
    request_id: answer.id,
    choices: choices.map((outputs, index) => wholeChoice(answer, outputs, index)),
    prompt_logprobs: promptLogprobs(answer, 0, { decode: (piece) => `token_id:${piece.id}` }),
    prompt_token_id_logprobs: null,
    prompt_token_ids: promptIdsOf(answer, 0),
    mm_placeholders: null,
    kv_transfer_params: null,
    ec_transfer_params: null,
    metrics: null,
  }),
};

function wholeChoice(answer: Answer, outputs: Output[], index: number): JsonObject {
  const last = outputs.at(-1);
  const tokens = outputs.flatMap((output) => output.tokens);
  return {
    index,
    logprobs: generateLogprobs(answer, tokens, "rust"),
    finish_reason: last?.finish?.reason ?? null,
    stop_reason: last?.finish?.stop ?? null,
    token_ids: tokens.map((token) => token.piece.id),
    sampling_mask: null,
    weight_versions: last?.finish == null ? null : weightVersions(last),
  };
}
