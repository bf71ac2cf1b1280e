/**
 * What a client may rely on in every Messages stream, event by event, with the fields that the newest SDK types require;
 * checked by nothing but the stream itself.
 */
import { isDeepStrictEqual } from "node:util";
import { asList, asObject, asText, type Json } from "./chat-records.ts";
import { messageBreaches, stopBreaches, usageBreaches } from "./messages-fields.ts";
import { readMessagesRecords } from "./messages-records.ts";

export interface Expected {
  /** The client's name of the model; `undefined` leaves it open. */
  readonly model?: string;
  /** Whether the client wants thinking blocks without their text. */
  readonly omitsThinking?: boolean;
}

interface Block {
  readonly type: string;
  text: string;
  signatures: number;
}

/** Returns every breach of the rules, in words; none for a stream as it should be. */
export function messagesBreaches(stream: string, expected: Expected = {}): string[] {
  return new MessagesGrammar(expected).read(stream);
}

class MessagesGrammar {
  readonly #expected: Expected;
  readonly #breaches: string[] = [];
  readonly #blocks: Block[] = [];
  #open = false;
  #state: "begin" | "content" | "ended" | "stopped" | "failed" = "begin";
  #prompt = 0;
  #stop: unknown;

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  read(stream: string): string[] {
    for (const { event, json } of readMessagesRecords(stream)) this.#take(event, json);
    this.#rule(this.#state === "stopped" || this.#state === "failed", "message_stop or an error at the end");
    return this.#breaches;
  }

  #rule(holds: boolean, words: string): void {
    if (!holds) this.#breaches.push(words);
  }

  #take(event: string, json: Json): void {
    this.#rule(this.#state !== "stopped" && this.#state !== "failed", `nothing after the end: ${event}`);
    switch (event) {
      case "ping":
        this.#keys(json, "type");
        return;
      case "error":
        this.#error(json);
        return;
      case "message_start":
        this.#start(json);
        return;
      case "content_block_start":
        this.#begin(json);
        return;
      case "content_block_delta":
        this.#delta(json);
        return;
      case "content_block_stop":
        this.#end(json);
        return;
      case "message_delta":
        this.#finish(json);
        return;
      case "message_stop":
        this.#keys(json, "type");
        this.#rule(this.#state === "ended", "message_stop right after message_delta");
        this.#state = "stopped";
        return;
      default:
        this.#breaches.push(`no event of the protocol: ${event}`);
    }
  }

  #keys(json: Json, ...keys: string[]): void {
    const found = Object.keys(json).toSorted().join();
    this.#rule(found === keys.toSorted().join(), `the keys ${keys.join()}: ${found}`);
  }

  #error(json: Json): void {
    this.#keys(json, "type", "error");
    const error = asObject(json["error"]);
    this.#keys(error, "type", "message");
    this.#rule(/^[a-z_]+$/.test(asText(error["type"])) && asText(error["message"]) !== "", "an error's type and words");
    this.#state = "failed";
  }

  #start(json: Json): void {
    this.#keys(json, "type", "message");
    this.#rule(this.#state === "begin", "message_start first, and once");
    const message = asObject(json["message"]);
    this.#breaches.push(...messageBreaches(message));
    this.#rule(asList(message["content"]).length === 0, "no content in message_start");
    this.#rule(message["model"] === (this.#expected.model ?? message["model"]), "the client's name of the model");
    const stops = [message["stop_reason"], message["stop_sequence"], message["stop_details"]];
    this.#rule(
      stops.every((stop) => stop === null),
      "message_start has not stopped",
    );
    this.#prompt = Number(asObject(message["usage"])["input_tokens"]);
    this.#state = "content";
  }

  #begin({ index, content_block: started, ...rest }: Json): void {
    this.#keys(rest, "type");
    this.#rule(this.#state === "content" && !this.#open, "a block only where none is open");
    this.#rule(index === this.#blocks.length, "indices from 0 without a gap");
    const block = asObject(started);
    const type = asText(block["type"]);
    if (type === "text") this.#shape(block, { type, text: "", citations: null });
    else if (type === "thinking") this.#shape(block, { type, thinking: "", signature: "" });
    else {
      const { id, name, ...others } = block;
      this.#shape(others, { type: "tool_use", input: {}, caller: { type: "direct" } });
      this.#rule(/^toolu_[A-Za-z0-9_-]+$/.test(asText(id)) && asText(name) !== "", "a call's id and name");
    }
    this.#blocks.push({ type, text: "", signatures: 0 });
    this.#open = true;
  }

  #shape(block: Json, expected: Json): void {
    this.#rule(isDeepStrictEqual(block, expected), `a block that begins as ${JSON.stringify(expected)}`);
  }

  #delta({ index, delta: said, ...rest }: Json): void {
    this.#keys(rest, "type");
    const block = this.#blocks.at(-1);
    this.#rule(this.#open && index === this.#blocks.length - 1, "a delta for the block that is open");
    if (!block) return;
    const delta = asObject(said);
    const kind = asText(delta["type"]);
    const field: unknown = Object.entries(FIELDS[block.type] ?? {}).find(([type]) => type === kind)?.[1];
    this.#rule(typeof field === "string", `no ${kind} in a ${block.type} block`);
    this.#keys(delta, "type", String(field));
    const text = asText(delta[String(field)]);
    this.#rule(text !== "", `no empty ${kind}`);
    this.#rule(block.signatures === 0, "nothing after the signature");
    if (kind === "signature_delta") block.signatures += 1;
    else block.text += text;
  }

  #end({ index, ...rest }: Json): void {
    this.#keys(rest, "type");
    const block = this.#blocks.at(-1);
    this.#rule(this.#open && index === this.#blocks.length - 1, "a stop for the block that is open");
    this.#open = false;
    if (block?.type === "thinking") {
      this.#rule(block.signatures === 1, "one signature before the end of a thinking block");
      const { omitsThinking = false } = this.#expected;
      this.#rule(omitsThinking ? block.text === "" : isVisible(block), "thinking that says something, unless omitted");
    }
    if (block?.type === "text" && !isVisible(block)) {
      const alone = this.#blocks.slice(0, -1).every(({ type }) => type === "thinking");
      this.#rule(block.text === "" && alone, "no text block of nothing but white space");
    }
  }

  #finish({ delta, usage, ...rest }: Json): void {
    this.#keys(rest, "type");
    this.#rule(this.#state === "content" && !this.#open, "one message_delta, and no block open");
    const said = this.#blocks.filter(({ type }) => type !== "thinking");
    const calls = this.#blocks.filter(({ type }) => type === "tool_use");
    this.#rule(said.length > 0, "an answer has a text or a call");
    const empty = this.#blocks.find(({ type, text }) => type === "text" && text === "");
    this.#rule(!empty || (said.length === 1 && empty === this.#blocks.at(-1)), "an empty text alone, and last");
    const stop = asObject(delta);
    this.#breaches.push(...stopBreaches(stop, calls.length), ...usageBreaches(asObject(usage)));
    this.#rule(this.#prompt === 0 || asObject(usage)["input_tokens"] !== undefined, "the prompt's tokens again");
    this.#stop = stop["stop_reason"];
    if (this.#stop !== "max_tokens") this.#rule(calls.every(isObjectText), "arguments that are a JSON object");
    this.#state = "ended";
  }
}

/** By the type of a block: each delta that it may have, and the field with its text. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  text: { text_delta: "text" },
  thinking: { thinking_delta: "thinking", signature_delta: "signature" },
  tool_use: { input_json_delta: "partial_json" },
};

function isVisible({ text }: Block): boolean {
  return text.trim() !== "";
}

function isObjectText({ text }: Block): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
