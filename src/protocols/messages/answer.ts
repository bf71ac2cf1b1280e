/** A stream of Anthropic Messages: https://docs.anthropic.com/en/api/messages-streaming */
import { GatewayError } from "../../core/errors.ts";
import type { Answer, Phase, Tokens } from "../../core/machine.ts";
import type { FinishEvent, StreamEvent } from "../../events/event.ts";
import type { Frame } from "../../sse/frame.ts";
import type { ChatEvents } from "../../vllm/chat/events.ts";
import { Blocks, format } from "./blocks.ts";
import { formatMessagesError } from "./error.ts";
import { readStop, writeMessage, type MessageParts } from "./message.ts";
import { NO_USAGE, writeMessageUsage, writeUsage } from "./usage.ts";

export class MessagesAnswer implements Answer<Frame> {
  readonly #events: ChatEvents;
  readonly #parts: MessageParts;
  readonly #blocks: Blocks;
  #finish: FinishEvent | undefined;

  constructor(events: ChatEvents, parts: MessageParts) {
    this.#events = events;
    this.#parts = parts;
    this.#blocks = new Blocks(parts.omitsThinking);
  }

  get phase(): Phase {
    return this.#events.phase;
  }

  get tokens(): Tokens | undefined {
    return this.#events.tokens;
  }

  get finishReasons(): readonly string[] {
    return this.#events.finishReasons;
  }

  push(frame: Frame): (Uint8Array | GatewayError)[] {
    return this.phase === "done" ? [] : this.#write(this.#events.push(frame));
  }

  end(): (Uint8Array | GatewayError)[] {
    return this.#write(this.#events.end());
  }

  fail(error: GatewayError): Uint8Array[] {
    return [formatMessagesError(error)];
  }

  keepAlive(): Uint8Array {
    return format("ping", {});
  }

  #write(events: readonly StreamEvent[]): (Uint8Array | GatewayError)[] {
    const out = events.flatMap((event) => this.#encode(event));
    return this.phase === "done" ? [...out, format("message_stop", {})] : out;
  }

  #encode(event: StreamEvent): (Uint8Array | GatewayError)[] {
    switch (event.type) {
      case "start": {
        // Nothing has been said yet, whatever has come along: clients add this to what the end says.
        const told = event.usage ?? NO_USAGE;
        const usage = writeMessageUsage({ ...told, completion: 0, reasoning: told.reasoning && 0 });
        return [format("message_start", { message: writeMessage(this.#parts, [], undefined, usage) })];
      }
      case "finish":
        this.#finish = event;
        return this.#blocks.end();
      case "usage":
        return this.#finish ? [this.#messageDelta(this.#finish, writeUsage(event.usage))] : [];
      case "error":
        return [event.error];
      default:
        return this.#blocks.push(event);
    }
  }

  #messageDelta(finish: FinishEvent, usage: object): Uint8Array {
    const delta = { ...readStop(finish, this.#parts.stopSequences), container: null };
    return format("message_delta", { delta, usage });
  }
}
