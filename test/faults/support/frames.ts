/**
 * Frames in a few words each: `role`, `reasoning`, `text`, `call 0 get_weather`, `args 0`, `finish stop`, `usage`,
 * `error origin_cut`, `done`; ` #1` marks another choice than the first. `ids` has token ids alone, `nothing` nothing at all.
 * One frame that does several things has them joined by ` + `.
 */
import { KEEPALIVE, readChunk, reasoningOf, type Choice, type Chunk } from "./chunks.ts";

/** The frames of a stream in order; a run of the same kind, also of several choices in turn, is written once. */
export function describeFrames(records: readonly string[]): string[] {
  const frames: string[] = [];
  let spoken = new Set<string>();
  for (const record of records) {
    if (record === KEEPALIVE) continue;
    const chunk = readChunk(record);
    const frame = chunk ? describe(chunk) : DONE_FRAME;
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

function describe(chunk: Chunk): string {
  if (chunk.error) return `error ${chunk.error.code}`;
  const said = (chunk.choices ?? []).flatMap((choice) => describeChoice(choice));
  if (chunk.choices?.length === 0 && chunk.usage) said.push("usage");
  return said.join(" + ") || "nothing";
}

function describeChoice({ index, delta, finish_reason: finish, token_ids: ids }: Choice): string[] {
  const said: string[] = [];
  if (delta?.role) said.push("role");
  if (reasoningOf(delta) !== "") said.push("reasoning");
  if (delta?.content) said.push("text");
  if (delta?.function_call) said.push("function_call");
  for (const { index: call, id, function: fn } of delta?.tool_calls ?? []) {
    said.push(id !== undefined ? `call ${call} ${fn?.name}` : `args ${call}`);
  }
  if (finish) said.push(`finish ${finish}`);
  if (said.length === 0 && ids && ids.length > 0) said.push("ids");
  return said.map((word) => (index === 0 ? word : `${word} #${index}`));
}
