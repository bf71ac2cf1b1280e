import { expect } from "vitest";
import type { Usage } from "./chunks.ts";
import { asInput, asWholeChat } from "./messages.ts";
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
  if (operation === "count_tokens") {
    expect(JSON.parse(body)).toEqual({ input_tokens: 13 });
    return;
  }
  const ours = operation === "messages";
  const { model: called, usage: told, choices }: WholeBody = JSON.parse(ours ? asWholeChat(body) : body);
  const [choice] = choices;
  const message: Message = choice.message ?? { content: BY_NAME[operation].read(choice).delta?.content ?? null };
  if (operation !== "generate") expect(called).toBe(model);
  expect(choice.finish_reason).toEqual(answer.finish);
  if (answer.text !== undefined) expect(message.content).toBe(answer.text);
  if (answer.reasoning !== undefined)
    expect(message).toMatchObject({ reasoning: answer.reasoning, reasoning_content: answer.reasoning });
  if (calls) {
    const made = ours ? calls.map(({ name, arguments: args }) => ({ name, arguments: asInput(args) })) : calls;
    expect(message.tool_calls?.map((call) => call.function)).toEqual(made);
    for (const { id, type } of message.tool_calls ?? []) expect([typeof id, type]).toEqual(["string", "function"]);
  }
  if (usage) expect(told).toMatchObject(usage);
  if (!ours) also?.(body);
}
