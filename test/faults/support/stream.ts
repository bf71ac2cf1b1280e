import { KEEPALIVE, readChunk, reasoningOf, splitRecords, type Choice, type Chunk, type Usage } from "./chunks.ts";
import { describeFrames } from "./frames.ts";
import type { OperationName } from "./operations.ts";

export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

/** A stream of any operation that has been read to its end, with what a client makes of it. */
export class AnswerStream {
  readonly records: readonly string[];
  readonly chunks: readonly Chunk[];
  /** See `frames.ts`. */
  readonly frames: readonly string[];
  readonly keepalives: number;
  readonly operation: OperationName;

  constructor(body: string, operation: OperationName = "chat") {
    this.operation = operation;
    this.records = splitRecords(body);
    const read = this.records.map((record) => ({ record, chunk: readChunk(record, operation) }));
    this.chunks = read.map(({ chunk }) => chunk).filter((chunk) => chunk !== undefined);
    this.frames = describeFrames(read, operation);
    this.keepalives = this.records.filter((record) => record === KEEPALIVE).length;
  }

  /** What a choice's frames brought, in order. */
  choices(index = 0): Choice[] {
    return this.chunks.flatMap(({ choices = [] }) => choices.filter((choice) => choice.index === index));
  }

  text(index = 0): string {
    return this.choices(index)
      .map(({ delta }) => delta?.content ?? "")
      .join("");
  }

  reasoning(): string {
    return this.choices()
      .map(({ delta }) => reasoningOf(delta))
      .join("");
  }

  /** Calls put together by their index, as clients do it. */
  calls(): ToolCall[] {
    const calls: { name: string; arguments: string }[] = [];
    for (const { index = 0, function: fn } of this.choices().flatMap(({ delta }) => delta?.tool_calls ?? [])) {
      const call = (calls[index] ??= { name: "", arguments: "" });
      call.name += fn?.name ?? "";
      call.arguments += fn?.arguments ?? "";
    }
    return calls;
  }

  /** How many tokens have log-probabilities. */
  logprobs(): number {
    return this.choices().reduce((sum, { logprobs }) => sum + (logprobs?.content.length ?? 0), 0);
  }

  /** The usage of the whole stream. */
  get usage(): Usage | undefined {
    return this.chunks.find(({ choices, usage }) => choices?.length === 0 && usage)?.usage ?? undefined;
  }

  /** The chunks of choices that carry a usage. */
  get chunksWithUsage(): number {
    return this.chunks.filter(({ choices, usage }) => choices?.length !== 0 && usage).length;
  }

  get error(): Chunk["error"] {
    return this.chunks.find(({ error }) => error)?.error;
  }
}
