/**
 * A stream in OpenAI's framing: repaired chunks as data records, errors in-band, `[DONE]` once at the end.
 * https://platform.openai.com/docs/api-reference/chat-streaming
 */
import { GatewayError } from "../core/errors.ts";
import type { Answer, Phase, Tokens } from "../core/machine.ts";
import { formatComment, formatData } from "../sse/format.ts";
import type { Frame } from "../sse/frame.ts";
import { formatChunk, type Chunk } from "../vllm/chunk.ts";
import { malformed, RepairedFrames } from "../vllm/frames.ts";
import { formatOpenAIFailure } from "./openai-error.ts";

export class OpenAIAnswer implements Answer<Frame> {
  readonly #frames: RepairedFrames;

  constructor(frames: RepairedFrames) {
    this.#frames = frames;
  }

  get phase(): Phase {
    return this.#frames.phase;
  }

  get tokens(): Tokens | undefined {
    return this.#frames.tokens;
  }

  get finishReasons(): readonly string[] {
    return this.#frames.finishReasons;
  }

  push(frame: Frame): (Uint8Array | GatewayError)[] {
    return this.phase === "done" ? [] : this.#write(this.#frames.push(frame));
  }

  end(): (Uint8Array | GatewayError)[] {
    return this.#write(this.#frames.end());
  }

  fail(error: GatewayError): Uint8Array[] {
    return formatOpenAIFailure(error);
  }

  keepAlive(): Uint8Array {
    return formatComment("keepalive");
  }

  #write(outputs: readonly (Chunk | GatewayError)[]): (Uint8Array | GatewayError)[] {
    try {
      const written = outputs.map((output) => (output instanceof GatewayError ? output : formatChunk(output)));
      return this.phase === "done" ? [...written, formatData("[DONE]")] : written;
    } catch (thrown) {
      if (thrown instanceof RangeError) return [malformed()];
      throw thrown;
    }
  }
}
