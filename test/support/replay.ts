/** A call and what its origin sends, run through the machines as the pump runs them, without time and sockets. */
import { GatewayError } from "../../src/core/errors.ts";
import type { Call, CallParts, ServedModel, StreamCall, WholeCall } from "../../src/protocols/protocol.ts";
import type { Frame } from "../../src/sse/frame.ts";
import { SseParser } from "../../src/sse/parse.ts";

export interface Replay {
  /** All that the client reads. */
  readonly text: string;
  /** What the stream ended in, where it did not end well. */
  readonly failure: GatewayError | undefined;
}

/** Ids count up, so that two replays give the same; the time is 1970-01-01T00:16:40Z. */
export function callParts(models?: ReadonlyMap<string, ServedModel>): CallParts {
  let ids = 0;
  return {
    newId: (prefix) => `${prefix}made-${(ids += 1)}`,
    now: () => 1_000_000,
    models,
    maxFrameBytes: 1_048_576,
  };
}

export function streamCall(call: Call): StreamCall {
  if (call.kind !== "stream") throw new Error(`a ${call.kind} request`);
  return call;
}

export function wholeCall(call: Call): WholeCall {
  if (call.kind !== "whole") throw new Error(`a ${call.kind} request`);
  return call;
}

/** Replays `pieces` as the answer to `call`, and then the end of the body. */
export function replayStream(call: StreamCall, pieces: Iterable<Uint8Array>): Replay {
  const answer = call.answer();
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
