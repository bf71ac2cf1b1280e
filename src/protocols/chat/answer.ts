/**
 * A chat stream on its way through: each data frame leaves as it came, and the stream is only shown as finished when it
 * is. https://platform.openai.com/docs/api-reference/chat-streaming
 */
import { GatewayError } from "../../core/errors.ts";
import { parseObject, type JsonObject } from "../../core/json/object.ts";
import type { Answer, Phase, Tokens } from "../../core/machine.ts";
import { formatComment, formatData } from "../../sse/format.ts";
import type { Frame } from "../../sse/frame.ts";
import { choicesOf, isRoleOnly } from "../../vllm/chat/chunk.ts";
import { Choices } from "../../vllm/choices.ts";
import { readErrorChunk } from "../../vllm/errors.ts";
import { readTokens } from "../../vllm/usage.ts";
import { formatOpenAIFailure } from "../openai-error.ts";

const DONE = "[DONE]";

export class ChatAnswer implements Answer<Frame> {
  phase: Phase = "opening";
  tokens: Tokens | undefined;
  readonly #choices: Choices;

  /** `expected` is the number of choices that must finish. */
  constructor(expected: number) {
    this.#choices = new Choices(expected);
  }

  push(frame: Frame): (Uint8Array | GatewayError)[] {
    if (this.phase === "done") return [];
    if (frame.data === DONE) return this.#terminate();
    const chunk = parseObject(frame.data);
    if (!chunk) return [frame.unterminated ? cut() : malformed()];
    if (chunk["error"]) return [readErrorChunk(chunk["error"])];
    this.#follow(chunk);
    return [frame.bytes ?? formatData(frame.data)];
  }

  end(): (Uint8Array | GatewayError)[] {
    if (this.phase === "settling") return this.#terminate();
    return [this.phase === "opening" ? empty() : cut()];
  }

  fail(error: GatewayError): Uint8Array[] {
    return formatOpenAIFailure(error);
  }

  keepAlive(): Uint8Array {
    return formatComment("keepalive");
  }

  #follow(chunk: JsonObject): void {
    for (const { index, finish_reason: reason } of choicesOf(chunk)) {
      this.#choices.finish(typeof index === "number" ? index : 0, reason);
    }
    this.tokens = readTokens(chunk["usage"]) ?? this.tokens;
    if (this.#choices.allFinished) this.phase = "settling";
    else if (!isRoleOnly(chunk)) this.phase = "open";
  }

  #terminate(): (Uint8Array | GatewayError)[] {
    if (this.phase === "opening") return [empty()];
    this.phase = "done";
    return [formatData(DONE)];
  }
}

function empty(): GatewayError {
  return new GatewayError("origin_protocol", "The origin's stream held no answer.");
}

function cut(): GatewayError {
  return new GatewayError("origin_cut", "The origin's stream ended before the answer was complete.");
}

function malformed(): GatewayError {
  return new GatewayError("origin_protocol", "The origin sent an event that is not a JSON object.");
}
