/**
 * Frames in a few words each: `role`, `reasoning`, `text`, `call 0 get_weather`, `args 0`, `finish stop`, `usage`,
 * `error origin_cut`, `done`; ` #1` marks another choice than the first. `ids` has token ids alone, `nothing` nothing at all. In generate `text` are ids.
 * One frame that does several things has them joined by ` + `.
 */
import type { OperationName } from "./operations.ts";
import { KEEPALIVE, reasoningOf, type Choice, type Chunk } from "./chunks.ts";

/** A record with the chunk in it, if there is one. */
interface ReadRecord {
  readonly record: string;
  readonly chunk: Chunk | undefined;
}

/** The frames of a stream in order; a run of the same kind, also of several choices in turn, is written once. */
export function describeFrames(read: readonly ReadRecord[], operation: OperationName): string[] {
  const frames: string[] = [];
  let spoken = new Set<string>();
  for (const { record, chunk } of read) {
    if (record === KEEPALIVE) continue;
    const frame = chunk ? describe(chunk, operation) : DONE_FRAME;
    if (
      frame === "nothing" &&
      (operation === "completions" || operation === "generate") &&
      chunk?.choices?.every(({ delta }) => delta?.content === "")
    ) {
      // An empty text, as Rust has it before its finish; an id without a text is the end mark's.
      continue;
    }
    if (/^(text|reasoning)( #\d)?$/.test(frame)) {
      if (spoken.has(frame)) continue;
      spoken.add(frame);
    } else {
      spoken = new Set();
      if (frame.startsWith("args") && frame === frames.at(-1)) continue;
    }
    frames.push(frame);
  }
  return frames;
}

const DONE_FRAME = "done";

function describe(chunk: Chunk, operation: OperationName): string {
  if (chunk.error) return `error ${chunk.error.code}`;
  const said = (chunk.choices ?? []).flatMap((choice) => describeChoice(choice, operation));
  if (chunk.choices?.length === 0 && chunk.usage) said.push("usage");
  return said.join(" + ") || "nothing";
}

function describeChoice(choice: Choice, operation: OperationName): string[] {
  const { index, delta, finish_reason: finish, token_ids: ids } = choice;
  const said: string[] = [];
  if (delta?.role) said.push("role");
  if (reasoningOf(delta) !== "") said.push("reasoning");
  // Where ids are streamed the last one comes with the finish.
  if (delta?.content && !(operation === "generate" && finish)) said.push("text");
  if (delta?.function_call) said.push("function_call");
  for (const { index: call, id, function: fn } of delta?.tool_calls ?? []) {
    said.push(id !== undefined ? `call ${call} ${fn?.name}` : `args ${call}`);
  }
  if (finish) said.push(`finish ${finish}`);
  if (said.length === 0 && ids && ids.length > 0 && operation === "chat") said.push("ids");
  return said.map((word) => (index === 0 ? word : `${word} #${index}`));
}
