/**
 * A stream in OpenAI's framing: repaired chunks as data records, errors in-band, `[DONE]` once at the end.
 * https://platform.openai.com/docs/api-reference/chat-streaming
 */
import { GatewayError } from "../core/errors.ts";
import { parseObject } from "../core/json/object.ts";
import type { Answer, Phase, Tokens } from "../core/machine.ts";
import { formatComment, formatData } from "../sse/format.ts";
import type { Frame } from "../sse/frame.ts";
import { formatChunk, type Chunk } from "../vllm/chunk.ts";
import { errorIn } from "../vllm/error-chunk.ts";
import { readErrorChunk } from "../vllm/errors.ts";
import { cutStream, type Repair } from "../vllm/repair.ts";
import { reword, type Names } from "../vllm/reword.ts";
import { formatOpenAIFailure } from "./openai-error.ts";

const DONE = "[DONE]";

export class OpenAIAnswer implements Answer<Frame> {
  readonly #repair: Repair;
  readonly #promptParam: string;
  readonly #names: Names;
  #done = false;

  /** `promptParam` is the parameter under which an overflow of the context is reported. */
  constructor(repair: Repair, promptParam: string, names: Names) {
    this.#repair = repair;
    this.#promptParam = promptParam;
    this.#names = names;
  }

  get phase(): Phase {
    return this.#done ? "done" : this.#repair.phase;
  }

  get tokens(): Tokens | undefined {
    return this.#repair.tokens;
  }

  push(frame: Frame): (Uint8Array | GatewayError)[] {
    if (this.#done) return [];
    // As the SDKs do: what begins with it ends the stream.
    if (frame.data.startsWith(DONE)) return this.#terminate(this.#repair.terminate());
    const json = parseObject(frame.data);
    const error = frame.event === "error" ? (json?.["error"] ?? json ?? frame.data) : json && errorIn(json);
    if (error !== undefined) return [reword(readErrorChunk(error, this.#promptParam), this.#names)];
    if (!json) return this.#broken(frame);
    try {
      return this.#repair.push({ json, bytes: frame.bytes }).map(format);
    } catch (thrown) {
      // Nested deeper than JSON can be written again.
      if (thrown instanceof RangeError) return [malformed()];
      throw thrown;
    }
  }

  end(): (Uint8Array | GatewayError)[] {
    return this.#terminate(this.#repair.end());
  }

  fail(error: GatewayError): Uint8Array[] {
    return formatOpenAIFailure(error);
  }

  keepAlive(): Uint8Array {
    return formatComment("keepalive");
  }

  /** Half a frame at the end is a cut, unless all that counts had been said before it. */
  #broken({ unterminated }: Frame): (Uint8Array | GatewayError)[] {
    if (!unterminated) return [malformed()];
    return this.phase === "settling" ? [] : [cutStream()];
  }

  #terminate(rest: readonly (Chunk | GatewayError)[]): (Uint8Array | GatewayError)[] {
    if (rest.at(-1) instanceof GatewayError) return rest.map(format);
    this.#done = true;
    return [...rest.map(format), formatData(DONE)];
  }
}

function format(output: Chunk | GatewayError): Uint8Array | GatewayError {
  return output instanceof GatewayError ? output : formatChunk(output);
}

function malformed(): GatewayError {
  return new GatewayError("origin_protocol", "The origin sent an event that is not a JSON object.");
}
