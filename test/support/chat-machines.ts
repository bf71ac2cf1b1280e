/** The machines of a chat stream on their own, with all that they are given by default. */
import { GatewayError } from "../../src/core/errors.ts";
import type { JsonObject } from "../../src/core/json/object.ts";
import { ChatChoice } from "../../src/vllm/chat/choice.ts";
import { repairChat, type ChatRepairParts } from "../../src/vllm/chat/repair.ts";
import { ToolCalls, type ToolCallParts } from "../../src/vllm/chat/tool-calls.ts";
import { openAIEnvelope } from "../../src/vllm/envelope.ts";
import type { Repair } from "../../src/vllm/repair.ts";

/** An output as a test writes it down; a failure is its code alone. */
export type Shown = JsonObject | string;

export function show(output: JsonObject | GatewayError): Shown {
  return output instanceof GatewayError ? output.code : output;
}

export function toolCallParts(parts: Partial<ToolCallParts> = {}): ToolCallParts {
  let ids = 0;
  return { single: false, maxWaiting: 10_000, newId: (prefix) => `${prefix}${(ids += 1)}`, ...parts };
}

export function chatChoice(parts?: Partial<ToolCallParts>): ChatChoice {
  return new ChatChoice(0, toolCallParts(parts));
}

/** Pushes choices that hold these deltas and nothing else, and returns the deltas of what comes of them. */
export function deltasOf(deltas: readonly unknown[], parts?: Partial<ToolCallParts>): Shown[] {
  const choice = chatChoice(parts);
  const outputs = deltas.flatMap((delta) => choice.push({ index: 0, delta }));
  return outputs.map((output) => show(output instanceof GatewayError ? output : asJson(output["delta"])));
}

/** Pushes one delta for each list of entries, and returns what is sent, the end of the choice included. */
export function toolEntries(deltas: readonly (readonly unknown[])[], parts?: Partial<ToolCallParts>): Shown[] {
  const calls = new ToolCalls(toolCallParts(parts));
  return [...deltas.flatMap((entries) => calls.push(entries)), ...calls.close(true)].map(show);
}

export interface StreamShown {
  readonly sent: readonly Shown[];
  readonly phase: string;
  readonly tokens: unknown;
}

export function chatRepair(parts: Partial<ChatRepairParts> = {}): Repair {
  return repairChat({
    envelope: openAIEnvelope({ object: "chat.completion.chunk", id: "chatcmpl-ours", model: "m", created: 9 }),
    choices: 1,
    usage: { final: false, continuous: false },
    maxTokens: undefined,
    promptLength: () => 40,
    ...toolCallParts(),
    ...parts,
  });
}

/** Pushes `chunks`, each in the stream's envelope unless it brings its own, and then what ends the stream. */
export function repairStream(
  chunks: readonly JsonObject[],
  parts: Partial<ChatRepairParts> = {},
  end: "terminator" | "end" | "nothing" = "terminator",
): StreamShown {
  const repair = chatRepair(parts);
  const outputs = chunks.flatMap((chunk) => repair.push({ json: { ...ENVELOPE, ...chunk }, bytes: undefined }));
  if (end === "terminator") outputs.push(...repair.terminate());
  if (end === "end") outputs.push(...repair.end());
  const sent = outputs.map((output) => show(output instanceof GatewayError ? output : withoutEnvelope(output.json)));
  return { sent, phase: repair.phase, tokens: repair.tokens };
}

const ENVELOPE = { id: "c", object: "chat.completion.chunk", created: 5, model: "m" };

/** The envelope is looked at where it is the matter; elsewhere it must only be there. */
function withoutEnvelope({ id, object, created, model, ...rest }: JsonObject): JsonObject {
  const right = typeof id === "string" && object === ENVELOPE.object && typeof created === "number" && model === "m";
  return right ? rest : { ...rest, envelope: "wrong" };
}

function asJson(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
