/** What every stream must obey once it has been repaired, whatever the origin did. */
import { expect } from "vitest";
import { DONE, KEEPALIVE, type CallFragment, type Choice, type Chunk } from "./chunks.ts";
import type { OperationName } from "./operations.ts";
import type { AnswerStream } from "./stream.ts";

export interface Asked {
  readonly model: string;
  readonly usage: boolean;
  readonly continuousUsage: boolean;
}

/** The framing of any stream, repaired or not: one spelling, one terminator at the very end, an error before it at most. */
export function expectFraming({ records, chunks }: AnswerStream): void {
  const strange = records.filter((record) => record !== KEEPALIVE && !/^data: [^\r\n]+$/.test(record));
  expect(strange, "records in another spelling").toEqual([]);
  expect(records.filter((record) => record === `data: ${DONE}`).length, "terminators").toBe(1);
  expect(records.at(-1)).toBe(`data: ${DONE}`);
  const errors = chunks.filter(({ error }) => error);
  expect(errors.length, "errors").toBeLessThanOrEqual(1);
  if (errors.length > 0) expect(records.at(-2), "the error stands last").toMatch(/^data: \{"error":/);
}

/** Returns what is wrong with a repaired stream, in sentences; empty when all is right. */
function faultsOf({ chunks, operation }: AnswerStream, asked: Asked): string[] {
  const wrong: string[] = [];
  const said = chunks.filter(({ error }) => !error);
  const failed = said.length < chunks.length;
  for (const key of ["id", "created", "model", "object"] as const) {
    const values = new Set(said.map((chunk) => chunk[key]));
    if (values.size > 1) wrong.push(`${key} changes: ${[...values].join(", ")}`);
  }
  if (said.some(({ id }) => typeof id !== "string")) wrong.push("no id");
  if (operation !== "generate") {
    if (said.some(({ model }) => model !== asked.model)) wrong.push("the model is not called as the client called it");
    if (said.some(({ created }) => !Number.isInteger(created))) wrong.push("no created");
  }
  wrong.push(...usageFaults(said, asked, failed));
  const byIndex = Map.groupBy(
    said.flatMap(({ choices = [] }) => choices),
    ({ index }) => index,
  );
  for (const [index, choices] of byIndex)
    wrong.push(...choiceFaults(choices, failed, operation).map((fault) => `#${index}: ${fault}`));
  return wrong;
}

function usageFaults(chunks: readonly Chunk[], asked: Asked, failed: boolean): string[] {
  const wrong: string[] = [];
  const last = chunks.filter(({ choices }) => !choices || choices.length === 0);
  if (last.some(({ choices, usage }) => !choices || !usage)) wrong.push("a frame without choices that is no usage");
  const wanted = asked.usage && !failed ? 1 : 0;
  if (last.length !== wanted) wrong.push(`${last.length} usage frames instead of ${wanted}`);
  if (last.length === 1 && chunks.at(-1) !== last[0]) wrong.push("the usage is not last");
  const riding = chunks.some(({ choices, usage }) => choices?.length !== 0 && usage);
  if (riding && !asked.continuousUsage) wrong.push("usage on chunks, unasked");
  for (const { usage } of chunks) {
    if (!usage) continue;
    const counts = [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens];
    if (!counts.every((count) => Number.isInteger(count) && Number(count) >= 0))
      wrong.push(`counts ${counts.join(", ")}`);
    if (Number(counts[0]) + Number(counts[1]) !== counts[2]) wrong.push(`a sum that is none: ${counts.join(", ")}`);
  }
  return wrong;
}

/** What a finish may say beside itself; in generate ids may come with it. */
const FINISH_SAYS: Readonly<Record<OperationName, string | undefined>> = {
  chat: "{}",
  completions: '{"content":""}',
  generate: undefined,
  messages: "{}",
  count_tokens: undefined,
};

function choiceFaults(choices: readonly Choice[], failed: boolean, operation: OperationName): string[] {
  const wrong: string[] = [];
  if (operation === "chat" || operation === "messages") wrong.push(...chatFaults(choices));
  const finishes = choices.filter(({ finish_reason: finish }) => typeof finish === "string");
  if (finishes.length > 1 || (finishes.length === 0 && !failed)) wrong.push(`${finishes.length} finishes`);
  if (finishes.length === 1 && finishes[0] !== choices.at(-1)) wrong.push("something after the finish");
  const says = FINISH_SAYS[operation];
  if (says !== undefined && finishes.some(({ delta }) => JSON.stringify(delta) !== says))
    wrong.push("a finish that says something");
  if (choices.some(({ delta }) => typeof delta !== "object" || delta === null))
    wrong.push("a choice that says nothing");
  return wrong;
}

function chatFaults(choices: readonly Choice[]): string[] {
  const wrong: string[] = [];
  const roles = choices.filter(({ delta }) => delta?.role);
  if (roles.length !== 1 || roles[0] !== choices[0]) wrong.push(`${roles.length} roles, or not at the start`);
  if (choices.some(({ delta }) => delta?.function_call)) wrong.push("a function_call");
  const oneKey = choices.filter(({ delta }) => (delta?.reasoning ?? "") !== (delta?.reasoning_content ?? ""));
  if (oneKey.length > 0) wrong.push("reasoning under one key only");
  const fragments = choices.flatMap(({ delta }) => delta?.tool_calls ?? []);
  wrong.push(...callFaults(fragments));
  if (fragments.length > 0 && choices.some(({ finish_reason: finish }) => finish === "stop"))
    wrong.push("calls, then stop");
  return wrong;
}

/** The strict form: id, type and name on the first fragment alone, arguments always text, one call after the other. */
function callFaults(fragments: readonly CallFragment[]): string[] {
  const wrong: string[] = [];
  let current = -1;
  for (const { index, id, type, function: fn } of fragments) {
    if (typeof fn?.arguments !== "string") wrong.push(`call ${index} has arguments that are no text`);
    if (index === current + 1) {
      current = index;
      if (!id || type !== "function" || !fn?.name) wrong.push(`call ${index} begins without id, type or name`);
    } else if (index !== current) wrong.push(`a fragment of call ${index} after call ${current}`);
    else if (id !== undefined || type !== undefined || fn?.name !== undefined)
      wrong.push(`call ${index} says itself again`);
  }
  return wrong;
}

export function expectGrammar(stream: AnswerStream, asked: Asked): void {
  expect(faultsOf(stream, asked)).toEqual([]);
}
