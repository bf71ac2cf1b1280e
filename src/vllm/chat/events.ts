/** An origin's chat frames, repaired, as neutral events: what every protocol other than vLLM's own is made of. */
import { GatewayError } from "../../core/errors.ts";
import type { Phase, Tokens } from "../../core/machine.ts";
import type { StreamEvent } from "../../events/event.ts";
import type { Frame } from "../../sse/frame.ts";
import type { Chunk } from "../chunk.ts";
import type { RepairedFrames } from "../frames.ts";
import { Waiting } from "../riders.ts";
import { ChatDecoder } from "./decode.ts";

export class ChatEvents {
  readonly #frames: RepairedFrames;
  readonly #decoder: ChatDecoder;
  #failed = false;

  /** `maxWaiting`: the most characters that may wait for their place. */
  constructor(frames: RepairedFrames, maxWaiting: number) {
    this.#frames = frames;
    this.#decoder = new ChatDecoder(new Waiting(maxWaiting));
  }

  /** Never `done` for a stream that failed, although its frames may have come to their end. */
  get phase(): Phase {
    const { phase } = this.#frames;
    return this.#failed && phase === "done" ? "settling" : phase;
  }

  get tokens(): Tokens | undefined {
    return this.#frames.tokens;
  }

  get finishReasons(): readonly string[] {
    return this.#frames.finishReasons;
  }

  /** Returns what a frame brings about; an error event is the last one of all. */
  push(frame: Frame): StreamEvent[] {
    return this.#decode(this.#frames.push(frame));
  }

  end(): StreamEvent[] {
    return this.#decode(this.#frames.end());
  }

  #decode(outputs: readonly (Chunk | GatewayError)[]): StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const output of outputs) {
      if (output instanceof GatewayError) events.push({ type: "error", error: output });
      else events.push(...this.#decoder.push(output));
      this.#failed = events.at(-1)?.type === "error";
      if (this.#failed) break;
    }
    return events;
  }
}
