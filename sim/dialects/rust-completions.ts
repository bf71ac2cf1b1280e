import type { Output } from "../engine/outputs.ts";
import { numberAt, type JsonObject } from "../json.ts";
import { textOf } from "../text/pieces.ts";
import { completionLogprobs } from "./completion-logprobs.ts";
import { hex } from "./ids.ts";
import { promptLogprobs } from "./prompt-logprobs.ts";
import { rustUsage } from "./usage.ts";
import { frameOf, idsOf, promptIdsOf, usageStep, type Answer, type Wire } from "./wire.ts";

/** Completions as the Rust front end frames them: the prompt and the finish stand alone. */
export const rustCompletions: Wire = {
  id: (requestId) => `cmpl-${requestId ?? hex(8)}`,
  finish: "alone",
  opening(answer, choice) {
    const echoed = echoOf(answer);
    const prompt = promptIdsOf(answer, choice);
    if (echoed === "" && prompt === null) return [];
    const ids = prompt === null ? {} : { token_ids: [], prompt_token_ids: prompt };
    return [frameOf({ choice, finish: null }, chunkOf(answer, { index: choice, text: echoed, ...ids }, 0))];
  },
  frames(answer, output) {
    const { choice, finish, tokens, text } = output;
    if (tokens.length === 0 && finish === null) return [];
    const start = echoOf(answer).length;
    const logprobs = tokens.length > 0 ? completionLogprobs(answer, tokens, "rust", { start }) : null;
    const ids = idsOf(answer, tokens);
    const shown: JsonObject = {
      index: choice,
      text,
      ...(logprobs === null ? {} : { logprobs }),
      ...finishKeys(finish),
      ...(ids === null ? {} : { token_ids: ids }),
    };
    return [frameOf(output, chunkOf(answer, shown, output.completion))];
  },
  usageFrame: (answer, completion) => usageStep(chunkOf(answer, undefined, completion)),
  whole: (answer, choices) => ({
    ...chunkHead(answer),
    choices: choices.map((outputs, index) => wholeChoice(answer, outputs, index)),
    usage: rustUsage(answer, choices[0]?.at(-1)?.completion ?? 0, 0, true),
    system_fingerprint: null,
    kv_transfer_params: null,
    ec_transfer_params: null,
  }),
};

function chunkHead(answer: Answer): JsonObject {
  return { id: answer.id, object: "text_completion", created: answer.created, model: answer.model };
}

function chunkOf(answer: Answer, choice: JsonObject | undefined, completion: number): JsonObject {
  const last = choice === undefined;
  const usage = last || answer.usage.each ? { usage: rustUsage(answer, completion, 0, last) } : {};
  return { ...chunkHead(answer), choices: last ? [] : [choice], ...usage };
}

/** The prompt's text where it is to be said again. */
function echoOf({ plan }: Answer): string {
  return plan.body["echo"] === true ? textOf(plan.prompts[0] ?? []) : "";
}

function finishKeys(finish: Output["finish"]): JsonObject {
  if (finish === null) return {};
  return { finish_reason: finish.reason, ...(finish.stop === null ? {} : { stop_reason: finish.stop }) };
}

function wholeChoice(answer: Answer, outputs: Output[], index: number): JsonObject {
  const { body, prompts } = answer.plan;
  const finish = outputs.at(-1)?.finish ?? null;
  const tokens = outputs.flatMap((output) => output.tokens);
  const echoed = body["echo"] === true ? (prompts[0] ?? []) : [];
  const top = numberAt(body, "prompt_logprobs") ?? (echoed.length > 0 ? numberAt(body, "logprobs") : undefined);
  return {
    index,
    text: textOf(echoed) + outputs.map((output) => output.text).join(""),
    logprobs: completionLogprobs(answer, tokens, "rust", { echoed, start: textOf(echoed).length }),
    finish_reason: finish?.reason ?? null,
    stop_reason: finish?.stop ?? null,
    prompt_logprobs: top === undefined ? null : promptLogprobs(answer, index, { top }),
    token_ids: idsOf(answer, tokens),
    prompt_token_ids: promptIdsOf(answer, index),
  };
}
