/**
 * One choice's tool calls, in one strict form: an integer index, id, type and name once, arguments always text, and one
 * call after the other. Fragments of a later call wait until the arguments of the current one are a complete JSON value.
 */
import { GatewayError } from "../../core/errors.ts";
import { JsonCompleteness } from "../../core/json/completeness.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";
import { findCall, readFragment, type Call, type Fragment } from "./tool-fragment.ts";

export interface ToolCallParts {
  /** Whether calls after the first are dropped. */
  readonly single: boolean;
  /** The most characters of fragments that may wait. */
  readonly maxWaiting: number;
  readonly newId: (prefix: string) => string;
}

export class ToolCalls {
  readonly #parts: ToolCallParts;
  /** In the order in which they began; all before `#current` are over. */
  readonly #calls: Call[] = [];
  #current = 0;
  #waiting = 0;

  constructor(parts: ToolCallParts) {
    this.#parts = parts;
  }

  /** Whether any call has begun. */
  get any(): boolean {
    return this.#calls.length > 0;
  }

  /**
   * Returns the entries to send for the entries of one delta, each for a delta of its own; an entry in strict form is
   * returned itself. A failure comes last.
   */
  push(entries: readonly unknown[]): (JsonObject | GatewayError)[] {
    const out: (JsonObject | GatewayError)[] = [];
    for (const entry of entries) {
      if (!isObject(entry)) continue;
      this.#take(readFragment(entry), out);
      if (this.#waiting > this.#parts.maxWaiting) return [...out, mixed()];
    }
    return out;
  }

  /** Returns what still has to be said when the choice finishes; with `whole`, a call without arguments gets `{}`. */
  close(whole: boolean): JsonObject[] {
    const out: JsonObject[] = [];
    for (; this.#current < this.#sayable; this.#current += 1) {
      const call = this.#calls[this.#current];
      if (!call) break;
      this.#release(call, out);
      if (whole && call.scan.empty) out.push({ index: call.index, function: { arguments: "{}" } });
    }
    return out;
  }

  get #sayable(): number {
    return this.#parts.single ? Math.min(1, this.#calls.length) : this.#calls.length;
  }

  #take(fragment: Fragment, out: (JsonObject | GatewayError)[]): void {
    const call = findCall(this.#calls, fragment) ?? this.#begin(fragment);
    if (call.index >= this.#sayable) return;
    // After complete arguments there can be nothing but white space, or what would break them.
    if (call.index < this.#current) return;
    call.id ??= fragment.id;
    call.name ??= fragment.name;
    call.scan.push(fragment.args);
    if (call.started) {
      const said = tail(call, fragment);
      if (said) out.push(said);
    } else {
      const length = JSON.stringify(fragment.entry).length;
      call.waiting.push(fragment);
      call.waitingLength += length;
      this.#waiting += length;
    }
    this.#advance(out);
  }

  #begin(fragment: Fragment): Call {
    const call: Call = {
      index: this.#calls.length,
      key: fragment.key,
      id: undefined,
      name: undefined,
      started: false,
      scan: new JsonCompleteness(),
      waiting: [],
      waitingLength: 0,
    };
    this.#calls.push(call);
    return call;
  }

  /** Starts the current call once its name is known, and goes on to the next once its arguments are complete. */
  #advance(out: (JsonObject | GatewayError)[]): void {
    for (;;) {
      const call = this.#calls[this.#current];
      if (call?.name === undefined) return;
      this.#release(call, out);
      if (!call.scan.complete || this.#current + 1 >= this.#sayable) return;
      this.#current += 1;
    }
  }

  /** Says what waited for the call to become current, or for its name. */
  #release(call: Call, out: (JsonObject | GatewayError)[]): void {
    if (call.started) return;
    call.started = true;
    this.#waiting -= call.waitingLength;
    const [first, ...rest] = call.waiting.splice(0);
    if (first) out.push(this.#start(call, first));
    for (const fragment of rest) {
      const said = tail(call, fragment);
      if (said) out.push(said);
    }
  }

  #start(call: Call, { entry, args }: Fragment): JsonObject {
    const id = call.id ?? this.#parts.newId("call_");
    const name = call.name ?? "";
    const fn = isObject(entry["function"]) ? entry["function"] : {};
    const strict =
      entry["index"] === call.index &&
      entry["id"] === id &&
      entry["type"] === "function" &&
      fn["name"] === name &&
      fn["arguments"] === args;
    if (strict) return entry;
    return { ...entry, index: call.index, id, type: "function", function: { ...fn, name, arguments: args } };
  }
}

/** Returns a later fragment in strict form. An empty one is left out, unless a field that we do not know rides on it. */
function tail(call: Call, { entry, args }: Fragment): JsonObject | undefined {
  if (isStrictTail(call, entry)) return entry;
  const { index: _index, id: _id, type: _type, function: fn, ...unknown } = entry;
  const { name: _name, arguments: _arguments, ...unknownInside } = isObject(fn) ? fn : {};
  const rides = Object.keys(unknown).length > 0 || Object.keys(unknownInside).length > 0;
  if (args === "" && !rides) return undefined;
  return { ...unknown, index: call.index, function: { ...unknownInside, arguments: args } };
}

function isStrictTail(call: Call, entry: JsonObject): boolean {
  const fn = entry["function"];
  return (
    entry["index"] === call.index &&
    !("id" in entry) &&
    !("type" in entry) &&
    isObject(fn) &&
    !("name" in fn) &&
    typeof fn["arguments"] === "string"
  );
}

function mixed(): GatewayError {
  return new GatewayError("origin_protocol", "The origin mixed more of two tool calls than can be put in order.");
}
