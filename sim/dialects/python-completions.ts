import { isFirst, type Output } from "../engine/outputs.ts";
import { numberAt, type JsonObject } from "../json.ts";
import { textOf } from "../text/pieces.ts";
import { completionLogprobs } from "./completion-logprobs.ts";
import { hex } from "./ids.ts";
import { promptLogprobs } from "./prompt-logprobs.ts";
import { fingerprint } from "./python-fingerprint.ts";
import { counts, pythonLastUsage, pythonWholeUsage } from "./usage.ts";
import { frameOf, idsOf, promptIdsOf, usageStep, type Answer, type Wire } from "./wire.ts";

/** Completions as the Python server frames them: every key of a choice is there, and the prompt rides on the first. */
export const pythonCompletions: Wire = {
  id: (requestId) => `cmpl-${requestId ?? hex(16)}`,
  finish: "riding",
  opening: () => [],
  frames(answer, output) {
    const { choice, finish, completion, tokens } = output;
    const first = isFirst(output);
    const chunk: JsonObject = {
      ...chunkHead(answer),
      choices: [
        {
          ...said(answer, [output], choice, first),
          finish_reason: finish?.reason ?? null,
          stop_reason: finish?.stop ?? null,
          prompt_token_ids: first ? firstPromptIds(answer, choice) : null,
          token_ids: idsOf(answer, tokens),
        },
      ],
      ...(answer.usage.each ? { usage: counts(answer, completion, choice) } : {}),
      ...(finish !== null && !answer.usage.last ? fingerprint(answer) : {}),
    };
    return [frameOf(output, chunk)];
  },
  usageFrame: (answer, completion) =>
    usageStep({
      ...chunkHead(answer),
      choices: [],
      usage: pythonLastUsage(answer, completion),
      ...fingerprint(answer),
    }),
  whole(answer, choices) {
    const completion = choices.reduce((sum, outputs) => sum + (outputs.at(-1)?.completion ?? 0), 0);
    return {
      ...chunkHead(answer),
      choices: choices.map((outputs, index) => wholeChoice(answer, outputs, index)),
      service_tier: null,
      system_fingerprint: fingerprint(answer)["system_fingerprint"] ?? null,
      usage: pythonWholeUsage(answer, completion),
      kv_transfer_params: null,
      ec_transfer_params: null,
      metrics: null,
    };
  },
};

function chunkHead(answer: Answer): JsonObject {
  return { id: answer.id, object: "text_completion", created: answer.created, model: answer.model };
}

/** Index, text and log-probabilities; the echoed prompt stands before the first token. */
function said(answer: Answer, outputs: readonly Output[], choice: number, first: boolean): JsonObject {
  const prompt = answer.plan.body["echo"] === true ? (answer.plan.choices[choice]?.prompt ?? []) : [];
  const echoed = first ? prompt : [];
  const tokens = outputs.flatMap((output) => output.tokens);
  return {
    index: choice,
    text: textOf(echoed) + outputs.map((output) => output.text).join(""),
    logprobs: completionLogprobs(answer, tokens, "python", { echoed, start: textOf(prompt).length }),
  };
}

/** Recorded: an echo shows the prompt's ids too, in a stream. */
function firstPromptIds(answer: Answer, choice: number): number[] | null {
  const { body, choices } = answer.plan;
  if (body["echo"] !== true) return promptIdsOf(answer, choice);
  return (choices[choice]?.prompt ?? []).map((piece) => piece.id);
}

function wholeChoice(answer: Answer, outputs: Output[], index: number): JsonObject {
  const { body } = answer.plan;
  const finish = outputs.at(-1)?.finish ?? null;
  const top = numberAt(body, "prompt_logprobs") ?? (body["echo"] === true ? numberAt(body, "logprobs") : undefined);
  return {
    ...said(answer, outputs, index, true),
    finish_reason: finish?.reason ?? null,
    stop_reason: finish?.stop ?? null,
    token_ids: idsOf(
      answer,
      outputs.flatMap((output) => output.tokens),
    ),
    prompt_logprobs: top === undefined ? null : promptLogprobs(answer, index, { top }),
    prompt_token_ids: promptIdsOf(answer, index),
    routed_experts: null,
  };
}
