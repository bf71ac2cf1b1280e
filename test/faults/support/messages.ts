/**
 * Answers of the Messages protocol as chat would have spelled them, so that a row is told once. That they are of the
 * protocol at all is held against its own grammar first.
 */
import { expect } from "vitest";
import { asList, asObject, asText, type Json } from "../../support/chat-records.ts";
import { messageBreaches } from "../../support/messages-fields.ts";
import { messagesBreaches } from "../../support/messages-grammar.ts";
import { readMessagesRecords, type MessagesRecord } from "../../support/messages-records.ts";
import { DONE, KEEPALIVE } from "./chunks.ts";

/** The type of an error by its code, which this protocol does not tell. */
export const TYPES: Readonly<Record<string, string>> = {
  invalid_request: "invalid_request_error",
  model_not_found: "not_found_error",
  rate_limited: "rate_limit_error",
  origin_unavailable: "overloaded_error",
  origin_timeout: "timeout_error",
  origin_auth: "api_error",
  origin_cut: "api_error",
  origin_error: "api_error",
  origin_protocol: "api_error",
  origin_unreachable: "api_error",
  not_supported_by_origin: "api_error",
};

const FINISHES: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** Returns a chat stream that says the same; `code` is what the log says of the error in it. */
export function asChatStream(body: string, code: unknown): string {
  expect(messagesBreaches(body)).toEqual([]);
  const spelling = new Spelling(code);
  return readMessagesRecords(body)
    .flatMap((record) => spelling.spell(record))
    .map((record) => `${record}\n\n`)
    .join("");
}

class Spelling {
  readonly #code: unknown;
  #envelope: Json = {};
  /** By the index of its block, the call that is spoken of. */
  readonly #calls = new Map<unknown, number>();

  constructor(code: unknown) {
    this.#code = code;
  }

  spell({ event, json }: MessagesRecord): string[] {
    switch (event) {
      case "ping":
        return [KEEPALIVE];
      case "message_start": {
        const { id, model } = asObject(json["message"]);
        this.#envelope = { id, object: "chat.completion.chunk", created: 0, model };
        return [this.#says({ role: "assistant", content: "" })];
      }
      case "content_block_start":
        return this.#begin(json["index"], asObject(json["content_block"]));
      case "content_block_delta":
        return this.#add(json["index"], asObject(json["delta"]));
      case "message_delta": {
        const usage = usageOf(asObject(json["usage"]));
        return [
          this.#says({}, { finish_reason: FINISHES[asText(asObject(json["delta"])["stop_reason"])] }),
          this.#chunk({ choices: [], usage }),
        ];
      }
      case "error":
        return [data({ error: { ...asObject(json["error"]), param: null, code: this.#code } }), `data: ${DONE}`];
      case "message_stop":
        return [`data: ${DONE}`];
      default:
        return [];
    }
  }

  #begin(at: unknown, { type, id, name }: Json): string[] {
    if (type !== "tool_use") return [];
    const index = this.#calls.size;
    this.#calls.set(at, index);
    return [this.#says({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] })];
  }

  #add(at: unknown, { type, text, thinking, partial_json: args }: Json): string[] {
    if (type === "text_delta") return [this.#says({ content: text })];
    if (type === "thinking_delta") return [this.#says({ reasoning: thinking, reasoning_content: thinking })];
    if (type !== "input_json_delta") return [];
    return [this.#says({ tool_calls: [{ index: this.#calls.get(at), function: { arguments: args } }] })];
  }

  #says(delta: Json, more: Json = {}): string {
    return this.#chunk({ choices: [{ index: 0, delta, ...more }] });
  }

  #chunk(fields: Json): string {
    return data({ ...this.#envelope, ...fields });
  }
}

/** Returns a chat's whole answer that says the same. */
export function asWholeChat(body: string): string {
  const message = asObject(JSON.parse(body));
  expect(messageBreaches(message)).toEqual([]);
  const content = asList(message["content"]);
  const joined = (type: string, key: string): string =>
    content.map((block) => (block["type"] === type ? asText(block[key]) : "")).join("");
  const calls = content.filter(({ type }) => type === "tool_use");
  const reasoning = joined("thinking", "thinking");
  const said = {
    content: joined("text", "text"),
    reasoning,
    reasoning_content: reasoning,
    tool_calls: calls.map(({ id, name, input }) => {
      return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
    }),
  };
  const finish = FINISHES[asText(message["stop_reason"])];
  const choices = [{ index: 0, finish_reason: finish, message: said }];
  return JSON.stringify({ model: message["model"], usage: usageOf(asObject(message["usage"])), choices });
}

/** The arguments as a whole message has them: an input, and an empty one where the limit cut them. */
export function asInput(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args));
  } catch {
    return "{}";
  }
}

function usageOf(usage: Json): Json {
  const parts = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
  const prompt = parts.reduce((sum, key) => sum + Number(usage[key]), 0);
  const completion = Number(usage["output_tokens"]);
  const counts = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return { ...counts, ...(usage["estimated"] === true && { estimated: true }) };
}

function data(json: Json): string {
  return `data: ${JSON.stringify(json)}`;
}
