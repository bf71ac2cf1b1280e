/**
 * Repaired chat chunks of one choice → neutral events: one part open at a time, none of nothing but white space, each
 * call's arguments a JSON object unless the limit cut them.
 */
import { GatewayError } from "../../core/errors.ts";
import { JsonObjectText } from "../../core/json/object-text.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";
import type { FinishReason, StreamEvent } from "../../events/event.ts";
import { choicesOf, unreadable } from "../choice.ts";
import type { Chunk } from "../chunk.ts";
import { tooMuch, type Waiting } from "../riders.ts";
import { readUsage } from "../usage/read.ts";
import { readSaid, type Said } from "./said.ts";

/**
 * Which part is open. White space is `blank` while it may turn out to lead nowhere; what is said while a call's arguments
 * are incomplete comes `later`.
 */
type Part =
  | { readonly kind: "none" }
  | { readonly kind: "text" | "reasoning" }
  | { readonly kind: "blank"; readonly said: Said }
  | OpenCall;

interface OpenCall {
  readonly kind: "tool_call";
  readonly index: unknown;
  readonly args: JsonObjectText;
  readonly later: Said[];
}

type Fault = "incomplete" | "no object";

const NONE: Part = { kind: "none" };

export class ChatDecoder {
  #part: Part | "unstarted" = "unstarted";
  /** Whether any call has begun. */
  #called = false;
  /** What is wrong with a call; all is well only if the limit did that, which cuts nothing but the last part. */
  #fault: Fault | undefined;
  /** Whether anything came after the call that is wrong. */
  #passed = false;
  readonly #waiting: Waiting;

  /** `waiting` bounds what is said while a call is incomplete, and white space. */
  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  push({ json }: Chunk): StreamEvent[] {
    const out: StreamEvent[] = [];
    if (this.#part === "unstarted") {
      this.#part = NONE;
      out.push({ type: "start", usage: readUsage(json["usage"]) });
    }
    const [choice] = choicesOf(json);
    if (choice) {
      const delta = isObject(choice["delta"]) ? choice["delta"] : {};
      const said = readSaid(delta);
      if (!said) return [...out, { type: "error", error: unreadable() }];
      for (const words of said) this.#speak(words, out);
      this.#callAll(delta["tool_calls"], out);
      if (typeof choice["finish_reason"] === "string")
        this.#finish(choice["finish_reason"], choice["stop_reason"], out);
    } else {
      const usage = readUsage(json["usage"]);
      if (usage) out.push({ type: "usage", usage });
    }
    if (this.#waiting.tooMuch) out.push({ type: "error", error: tooMuch() });
    return out;
  }

  #callAll(calls: unknown, out: StreamEvent[]): void {
    for (const call of Array.isArray(calls) ? calls : []) if (isObject(call)) this.#call(call, out);
  }

  #speak(said: Said, out: StreamEvent[]): void {
    const part = this.#part;
    if (part === "unstarted") return;
    if (part.kind === "tool_call") {
      if (!part.args.closed) {
        this.#waiting.add(said.text.length);
        part.later.push(said);
        return;
      }
      this.#completeCall(part, out);
      this.#speak(said, out);
      return;
    }
    if (part.kind === said.type) {
      out.push(said);
      return;
    }
    const before = part.kind === "blank" && part.said.type === said.type ? part.said.text : "";
    if (part.kind === "blank") this.#waiting.remove(part.said.text.length);
    const whole: Said = { type: said.type, text: before + said.text };
    if (VISIBLE.test(said.text)) {
      this.#begin({ kind: said.type });
      out.push(whole);
    } else {
      this.#waiting.add(whole.text.length);
      this.#part = { kind: "blank", said: whole };
    }
  }

  #call(call: JsonObject, out: StreamEvent[]): void {
    const { id, index } = call;
    const fn = isObject(call["function"]) ? call["function"] : {};
    // A repaired call has its id, and its name with it, on its first fragment only.
    if (isText(id)) {
      this.#complete(out);
      this.#called = true;
      this.#begin({ kind: "tool_call", index, args: new JsonObjectText(), later: [] });
      out.push({ type: "tool_call_start", id, name: String(fn["name"]) });
    }
    const args = fn["arguments"];
    if (!isText(args)) return;
    const part = this.#part;
    if (part === "unstarted" || part.kind !== "tool_call" || part.index !== index) {
      // What comes after a call's end is white space, or breaks it.
      if (!VISIBLE.test(args)) return;
      this.#fault ??= "incomplete";
      this.#passed = true;
      return;
    }
    part.args.push(args);
    out.push({ type: "tool_call_delta", text: args });
  }

  #begin(part: Part): void {
    this.#passed ||= this.#fault !== undefined;
    this.#part = part;
  }

  /** Ends the part that is open; white space that led nowhere is dropped. */
  #complete(out: StreamEvent[]): void {
    const part = this.#part;
    if (part === "unstarted") return;
    if (part.kind === "tool_call") this.#completeCall(part, out);
    if (this.#part !== "unstarted" && this.#part.kind === "blank") this.#waiting.remove(this.#part.said.text.length);
    this.#part = NONE;
  }

  /** What was said while the call was incomplete comes after it. */
  #completeCall({ args, later }: OpenCall, out: StreamEvent[]): void {
    if (!args.isObject) this.#fault ??= args.closed ? "no object" : "incomplete";
    this.#part = NONE;
    out.push({ type: "tool_call_complete" });
    for (const said of later) {
      this.#waiting.remove(said.text.length);
      this.#speak(said, out);
    }
  }

  #finish(told: string, stopReason: unknown, out: StreamEvent[]): void {
    this.#complete(out);
    const reason = readReason(told, this.#called);
    if (this.#fault && (this.#passed || reason !== "length")) {
      out.push({ type: "error", error: brokenCall(this.#fault) });
    } else {
      out.push({ type: "finish", reason, stopText: typeof stopReason === "string" ? stopReason : undefined });
    }
  }
}

const VISIBLE = /\S/;

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/**
 * A model that repeats itself is cut off as one that says too much; a word that nobody knows is an end like any other. An
 * end after calls waits for their results, and one without calls for nothing, whatever the word.
 */
function readReason(told: string, called: boolean): FinishReason {
  if (told === "length" || told === "repetition") return "length";
  if (told === "content_filter") return told;
  return called ? "tool_calls" : "stop";
}

/** Clients would run it. */
function brokenCall(fault: Fault): GatewayError {
  const wrong = fault === "incomplete" ? "complete JSON" : "a JSON object";
  return new GatewayError("origin_protocol", `The origin sent a tool call whose arguments are not ${wrong}.`);
}
