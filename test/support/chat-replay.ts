/** A chat request and what its origin sends, run through the machines as the pump runs them, without time and sockets. */
import { readJson } from "../../src/protocols/read-json.ts";
import { readChat } from "../../src/protocols/chat/read.ts";
import type { Call, StreamCall, WholeCall } from "../../src/protocols/protocol.ts";
import { callParts, replayStream, streamCall, wholeCall, type Replay } from "./replay.ts";

export type { Replay } from "./replay.ts";

/** Returns the call of a streaming request. */
export function readStream(request: string): StreamCall {
  return streamCall(readRequest(request));
}

/** Returns the call of a request for a whole answer. */
export function readWhole(request: string): WholeCall {
  return wholeCall(readRequest(request));
}

export function readRequest(request: string): Call {
  return readChat(readJson(request), callParts());
}

/** Replays `pieces` as the answer to `request`, and then the end of the body. */
export function replayChat(request: string, pieces: Iterable<Uint8Array>): Replay {
  return replayStream(readStream(request), pieces);
}
