/** An origin's frames, read: as the chunks that a client should have had, its errors as what they mean, its terminator. */
import { GatewayError } from "../core/errors.ts";
import type { Machine, Phase, Tokens } from "../core/machine.ts";
import type { Frame } from "../sse/frame.ts";
import type { Chunk } from "./chunk.ts";
import { errorIn } from "./error-chunk.ts";
import { readErrorChunk } from "./errors.ts";
import { ChunkParser } from "./parse-chunk.ts";
import { cutStream, type Repair } from "./repair.ts";
import { reword, type Names } from "./reword.ts";

type Output = Chunk | GatewayError;

export class RepairedFrames implements Machine<Frame, Chunk> {
  readonly #parser = new ChunkParser();
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

  /** `done` once all that the terminator brings about has been given out. */
  get phase(): Phase {
    return this.#done ? "done" : this.#repair.phase;
  }

  get tokens(): Tokens | undefined {
    return this.#repair.tokens;
  }

  get finishReasons(): readonly string[] {
    return this.#repair.finishReasons;
  }

  push(frame: Frame): Output[] {
    if (this.#done) return [];
    const json = this.#parser.parse(frame);
    // As the SDKs do: what begins with it ends the stream.
    if (!json && frame.data.startsWith("[DONE]")) return this.#terminate(this.#repair.terminate());
    const error = frame.event === "error" ? (json?.["error"] ?? json ?? frame.data) : json && errorIn(json);
    if (error !== undefined) return [reword(readErrorChunk(error, this.#promptParam), this.#names)];
    if (!json) return this.#broken(frame);
    try {
      return this.#repair.push({ json, bytes: frame.bytes });
    } catch (thrown) {
      if (thrown instanceof RangeError) return [malformed()];
      throw thrown;
    }
  }

  end(): Output[] {
    return this.#terminate(this.#repair.end());
  }

  /** Half a frame at the end is a cut, unless all that counts had been said before it. */
  #broken({ unterminated }: Frame): Output[] {
    if (!unterminated) return [malformed()];
    return this.phase === "settling" ? [] : [cutStream()];
  }

  #terminate(rest: Output[]): Output[] {
    this.#done = !(rest.at(-1) instanceof GatewayError);
    return rest;
  }
}

/** What is no JSON object, or is nested deeper than JSON can be written again. */
export function malformed(): GatewayError {
  return new GatewayError("origin_protocol", "The origin sent an event that is not a JSON object.");
}
