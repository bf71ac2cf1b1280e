/** A chat request and what its origin sends, run through the machines as the pump runs them, without time and sockets. */
import { GatewayError } from "../../src/core/errors.ts";
import { readChat } from "../../src/protocols/chat/read.ts";
import type { Call, StreamCall, WholeCall } from "../../src/protocols/protocol.ts";
import type { Frame } from "../../src/sse/frame.ts";
import { SseParser } from "../../src/sse/parse.ts";

export interface Replay {
  /** All that the client reads. */
  readonly text: string;
  /** What the stream ended in, where it did not end well. */
  readonly failure: GatewayError | undefined;
}

/** Returns the call of a streaming request. */
export function readStream(request: string): StreamCall {
  const call = readRequest(request);
  if (call.kind !== "stream") throw new Error(`a ${call.kind} request`);
  return call;
}

/** Returns the call of a request for a whole answer. */
export function readWhole(request: string): WholeCall {
  const call = readRequest(request);
  if (call.kind !== "whole") throw new Error(`a ${call.kind} request`);
  return call;
}

/** Ids count up, so that two replays give the same; the time is 1970-01-01T00:16:40Z. */
export function readRequest(request: string): Call {
  let ids = 0;
  return readChat(request, {
    newId: (prefix) => `${prefix}made-${(ids += 1)}`,
    now: () => 1_000_000,
    maxFrameBytes: 1_048_576,
  });
}

/** Replays `pieces` as the answer to `request`, and then the end of the body. */
export function replayChat(request: string, pieces: Iterable<Uint8Array>): Replay {
  const answer = readStream(request).answer();
  const parser = new SseParser(1_048_576);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let failure: GatewayError | undefined;

  const take = (outputs: readonly (Uint8Array | GatewayError)[]): void => {
    for (const output of outputs) {
      if (failure) throw new Error("an output after the failure");
      if (output instanceof GatewayError) failure = output;
      else text += decoder.decode(output);
    }
  };
  const advance = (frames: readonly (Frame | GatewayError)[]): void => {
    for (const frame of frames) {
      if (failure || answer.phase === "done") return;
      if (frame instanceof GatewayError) failure = frame;
      else take(answer.push(frame));
    }
  };

  for (const piece of pieces) advance(parser.push(piece));
  advance(parser.end());
  if (!failure && answer.phase !== "done") take(answer.end());
  if (failure) for (const bytes of answer.fail(failure) ?? []) text += decoder.decode(bytes);
  return { text, failure };
}
