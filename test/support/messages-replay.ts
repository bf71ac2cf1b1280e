/** A Messages request and the chat that its origin streams, run through the machines without time and sockets. */
import { GatewayError } from "../../src/core/errors.ts";
import { Accumulation } from "../../src/events/accumulate.ts";
import type { StreamEvent } from "../../src/events/event.ts";
import { readMessages } from "../../src/protocols/messages/read.ts";
import type { FoldedCall } from "../../src/protocols/protocol.ts";
import { readJson } from "../../src/protocols/read-json.ts";
import { SseParser } from "../../src/sse/parse.ts";
import { asList, asObject, type Json } from "./chat-records.ts";
import { callParts, replayStream, streamCall, type Replay } from "./replay.ts";

export const ASKS: Json = { model: "tiny", max_tokens: 100, messages: [{ role: "user", content: "Say it." }] };

/** Replays `pieces` as what the origin of a streaming request says, and then the end of the body. */
export function replayMessages(request: Json, pieces: Iterable<Uint8Array>): Replay {
  return replayStream(streamCall(read({ ...request, stream: true })), pieces);
}

export interface Folded {
  /** The whole answer, or the code of what it failed with. */
  readonly answer: Json | string;
  /** The events that it was made of. */
  readonly events: readonly StreamEvent[];
}

/** Folds `pieces`, and then the end of the body, into the whole answer to a request. */
export function foldMessages(request: Json, pieces: Iterable<Uint8Array>): Folded {
  const call = foldedCall({ ...request, stream: false });
  const events = eventsOf(call, pieces);
  const answer = new Accumulation();
  try {
    for (const event of events) answer.push(event);
    return { answer: asObject(JSON.parse(call.write(answer.end()))), events };
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return { answer: thrown.code, events };
  }
}

function foldedCall(request: Json): FoldedCall {
  const call = read(request);
  if (call.kind !== "folded") throw new Error(`a ${call.kind} request`);
  return call;
}

function eventsOf(call: FoldedCall, pieces: Iterable<Uint8Array>): StreamEvent[] {
  const source = call.events();
  const parser = new SseParser(1_048_576);
  const events: StreamEvent[] = [];
  const advance = (frames: ReturnType<SseParser["push"]>): void => {
    for (const frame of frames) {
      if (source.phase === "done" || events.at(-1)?.type === "error") return;
      if (frame instanceof GatewayError) events.push({ type: "error", error: frame });
      else events.push(...source.push(frame));
    }
  };
  for (const piece of pieces) advance(parser.push(piece));
  advance(parser.end());
  if (source.phase !== "done" && events.at(-1)?.type !== "error") events.push(...source.end());
  return events;
}

function read(request: Json): ReturnType<typeof readMessages> {
  return readMessages(readJson(JSON.stringify(request)), callParts());
}

/** Returns the Messages request to which a recorded chat request's answer could have been the answer. */
export function asMessages(chat: Json): Json {
  const {
    model = "tiny",
    max_tokens: limit,
    max_completion_tokens: newer,
    stop,
    tools,
    parallel_tool_calls: many,
  } = chat;
  const translated = asList(tools).map((tool) => {
    const { name, parameters } = asObject(tool["function"]);
    return { name, input_schema: parameters ?? { type: "object" } };
  });
  return {
    ...ASKS,
    model,
    max_tokens: newer ?? limit ?? 4_096,
    ...(stop !== undefined && { stop_sequences: [stop].flat() }),
    ...(translated.length > 0 && { tools: translated }),
    ...(many === false && translated.length > 0 && { tool_choice: { type: "auto", disable_parallel_tool_use: true } }),
  };
}
