import { expect } from "vitest";
import type { Usage } from "./chunks.ts";
import { BY_NAME, type OperationName, type RawChoice } from "./operations.ts";
import type { WholeResponse } from "./row.ts";

interface Message {
  readonly content?: string | null;
  readonly reasoning?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly type: string; readonly function: unknown }[];
}

interface WholeBody {
  readonly model?: string;
  readonly usage?: Usage;
  readonly choices: readonly [RawChoice & { readonly message?: Message }];
}

/** Fails unless the whole answer in `body` is as `expected`; what it says is read as chat would have spelled it. */
export function expectWhole(body: string, expected: WholeResponse, model: string, operation: OperationName): void {
  const { answer, calls, usage, also } = expected;
  const { model: called, usage: told, choices }: WholeBody = JSON.parse(body);
  const [choice] = choices;
  const message: Message = choice.message ?? { content: BY_NAME[operation].read(choice).delta?.content ?? null };
  if (operation !== "generate") expect(called).toBe(model);
  expect(choice.finish_reason).toBe(answer.finish);
  if (answer.text !== undefined) expect(message.content).toBe(answer.text);
  if (answer.reasoning !== undefined)
    expect(message).toMatchObject({ reasoning: answer.reasoning, reasoning_content: answer.reasoning });
  if (calls) {
    expect(message.tool_calls?.map((call) => call.function)).toEqual(calls);
    for (const { id, type } of message.tool_calls ?? []) expect([typeof id, type]).toEqual(["string", "function"]);
  }
  if (usage) expect(told).toMatchObject(usage);
  also?.(body);
}
