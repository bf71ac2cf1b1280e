/** One choice's share of a stream, as loose as any origin may write it, and beside it what it says. */
import * as fc from "fast-check";
import { looseCalls } from "./chat-loose-calls.ts";
import type { ChoiceContent } from "./chat-content.ts";
import { asObject, type Json } from "./chat-records.ts";

export interface LooseChoice {
  /** The choices for the chunks, in order. */
  readonly choices: readonly Json[];
  readonly content: ChoiceContent;
  /** Whether the origin finishes it. */
  readonly finishes: boolean;
}

export interface LooseParts {
  readonly index: number;
  /** Whether calls after the first do not count. */
  readonly single: boolean;
  readonly reasons: readonly string[];
}

const text = () => fc.string({ minLength: 1, maxLength: 6, unit: "grapheme" });

const someIds = () => fc.array(fc.nat({ max: 9 }), { maxLength: 3 });

export function looseChoice(g: fc.GeneratorValue, { index, single, reasons }: LooseParts): LooseChoice {
  const content: ChoiceContent = {
    text: "",
    reasoning: "",
    tokenIds: [],
    logprobs: [],
    calls: [],
    unknown: [],
    stopReason: null,
    finish: null,
  };
  const deltas = talk(g, content);
  const reason = g(fc.constantFrom, ...reasons);
  const calls = looseCalls(g, reason === "length");
  deltas.push(...calls.deltas);
  content.calls.push(...(single ? calls.calls.slice(0, 1) : calls.calls));

  const choices: Json[] = deltas.map((delta) => ({ index, delta, ...riders(g, content) }));
  withRole(g, choices, index);
  const none = g(fc.constantFrom, undefined, null, "");
  if (none !== undefined) for (const choice of choices) choice["finish_reason"] = none;
  const stopReason = g(fc.constantFrom, null, "END", 7);
  if (reason !== "") {
    const alone = g(fc.boolean) || choices.length === 0;
    const last = alone ? { index, delta: g(fc.constantFrom, {}, { content: "" }, null) } : choices.pop();
    choices.push({ ...last, finish_reason: reason, stop_reason: stopReason });
    content.stopReason = stopReason;
    // What comes after the finish does not count.
    if (g(fc.boolean)) choices.push({ index, delta: { content: "late" }, token_ids: [1], finish_reason: "length" });
  }
  content.unknown.sort();
  const called = content.calls.length > 0;
  content.finish = ["stop", "function_call", ""].includes(reason) && called ? "tool_calls" : reason || "stop";
  return { choices, content, finishes: reason !== "" };
}

/** Reasoning, text and fields that nobody knows. */
function talk(g: fc.GeneratorValue, content: ChoiceContent): Json[] {
  const deltas: Json[] = [];
  const count = g(fc.nat, { max: 5 });
  for (let at = 0; at < count; at += 1) {
    const said = g(text);
    const kind = g(fc.constantFrom, "content", "reasoning", "reasoning_content", "both", "unknown", "empty");
    if (kind === "content") content.text += said;
    else if (kind === "unknown") content.unknown.push(`delta.x_delta=${JSON.stringify(said)}`);
    else if (kind !== "empty") content.reasoning += said;
    deltas.push(spellings(said)[kind] ?? {});
  }
  return deltas;
}

function spellings(said: string): Readonly<Record<string, Json>> {
  return {
    content: { content: said },
    reasoning: { reasoning: said, content: null },
    reasoning_content: { reasoning: "", reasoning_content: said },
    both: { reasoning: said, reasoning_content: said },
    unknown: { x_delta: said },
    empty: { content: "" },
  };
}

function riders(g: fc.GeneratorValue, content: ChoiceContent): Json {
  const fields: Json = {};
  if (g(fc.nat, { max: 3 }) === 0) {
    const ids = g(someIds);
    fields["token_ids"] = ids;
    content.tokenIds.push(...ids);
  }
  if (g(fc.nat, { max: 3 }) === 0) {
    const entry = { token: g(text), logprob: -1 };
    fields["logprobs"] = { content: [entry] };
    content.logprobs.push(entry);
  }
  if (g(fc.nat, { max: 5 }) === 0) {
    fields["x_choice"] = { deep: [1] };
    content.unknown.push('choice.x_choice={"deep":[1]}');
  }
  return fields;
}

/** The role on a chunk of its own, with the first words, on all chunks, too late or not at all. */
function withRole(g: fc.GeneratorValue, choices: Json[], index: number): void {
  const way = g(fc.constantFrom, "own", "own twice", "first", "all", "late", "none");
  const own: Json = { index, delta: { role: "assistant", content: "" } };
  if (way === "own" || way === "own twice") choices.unshift(own);
  if (way === "own twice") choices.push({ ...own });
  if (way === "late") choices.push({ index, delta: { role: "assistant" } });
  if (way !== "all" && way !== "first") return;
  for (const choice of way === "all" ? choices : choices.slice(0, 1)) {
    choice["delta"] = { role: "assistant", ...asObject(choice["delta"]) };
  }
}
