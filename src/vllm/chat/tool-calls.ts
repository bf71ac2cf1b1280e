/**
 * One choice's tool calls, in one strict form: an integer index, id, type and name once, arguments always text, and one
 * call after the other. Fragments of a later call wait until the arguments of the current one are a complete JSON value.
 */
import { GatewayError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";
import { unreadable } from "../choice.ts";
import { tooMuch, Waiting } from "../riders.ts";
import { Arguments, begins, KnownCalls, readFragments, type Call, type Fragment } from "./tool-fragment.ts";

/** More than any model means to make; what an origin sends by mistake must not cost without bound. */
const MAX_CALLS = 1_024;

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
  readonly #known = new KnownCalls();
  /** Where only the first call is wanted, the latest of the others: what goes on with it is dropped too. */
  #dropped: Call | undefined;
  /** What waits in all choices of the stream. */
  readonly #waiting: Waiting;

  constructor(parts: ToolCallParts, waiting = new Waiting(parts.maxWaiting)) {
    this.#parts = parts;
    this.#waiting = waiting;
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
    const fragments = readFragments(entries);
    if (!fragments) return [unreadable()];
    for (const fragment of fragments) {
      this.#take(fragment, out);
      if (this.#waiting.tooMuch) return [...out, tooMuch()];
      if (this.#calls.length > MAX_CALLS) return [...out, tooMany()];
    }
    return out;
  }

  /**
   * Returns what still has to be said when the choice finishes; with `whole`, a call without arguments gets `{}`. A call
   * that has no name even now is a failure: no client could tell what to call.
   */
  close(whole: boolean): (JsonObject | GatewayError)[] {
    const out: (JsonObject | GatewayError)[] = [];
    for (; this.#current < this.#calls.length; this.#current += 1) {
      const call = this.#calls[this.#current];
      if (!call) break;
      if (call.name === undefined) return [...out, nameless()];
      this.#release(call, out);
      if (whole && call.args.empty) out.push({ index: call.index, function: { arguments: "{}" } });
    }
    return out;
  }

  #take(fragment: Fragment, out: (JsonObject | GatewayError)[]): void {
    const known = this.#known.find(fragment);
    if (!known && !begins(fragment)) return;
    const call = known ?? this.#begin(fragment);
    if (call.index >= MAX_CALLS) return;
    if (call.index < this.#current) {
      // After complete arguments there can be nothing but white space, or what would break them.
      const rest = reduced(call, fragment, "");
      if (rest) out.push(rest);
      return;
    }
    this.#known.name(call, fragment);
    call.args.push(fragment.args);
    if (call === this.#dropped) return;
    if (call.started) {
      const said = tail(call, fragment);
      if (said) out.push(said);
    } else {
      const length = JSON.stringify(fragment.entry).length;
      call.waiting.push(fragment);
      call.waitingLength += length;
      this.#waiting.add(length);
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
      args: new Arguments(),
      waiting: [],
      waitingLength: 0,
    };
    if (this.#parts.single && this.#calls.length > 0) {
      if (this.#dropped) this.#known.forget(this.#dropped);
      this.#dropped = call;
    } else {
      this.#calls.push(call);
    }
    this.#known.add(call);
    return call;
  }

  /** Starts the current call once its name is known, and goes on to the next once its arguments are complete. */
  #advance(out: (JsonObject | GatewayError)[]): void {
    for (;;) {
      const call = this.#calls[this.#current];
      if (call?.name === undefined) return;
      this.#release(call, out);
      if (!call.args.over || this.#current + 1 >= this.#calls.length) return;
      this.#current += 1;
    }
  }

  /** Says what waited for the call to become current, or for its name. */
  #release(call: Call, out: (JsonObject | GatewayError)[]): void {
    if (call.started) return;
    call.started = true;
    this.#waiting.remove(call.waitingLength);
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
function tail(call: Call, fragment: Fragment): JsonObject | undefined {
  if (isStrictTail(call, fragment.entry)) return fragment.entry;
  return reduced(call, fragment, fragment.args);
}

/** Returns a later fragment with `args` for its arguments, where these or a field that we do not know are worth it. */
function reduced(call: Call, { entry }: Fragment, args: string): JsonObject | undefined {
  const { index: _index, id: _id, type: _type, function: fn, ...unknown } = entry;
  const { name: _name, arguments: _arguments, ...unknownInside } = isObject(fn) ? fn : {};
  if (args === "" && Object.keys(unknown).length === 0 && Object.keys(unknownInside).length === 0) return undefined;
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

function tooMany(): GatewayError {
  return new GatewayError("origin_protocol", `The origin began more than ${MAX_CALLS} tool calls.`);
}

function nameless(): GatewayError {
  return new GatewayError("origin_protocol", "The origin sent a tool call without a name.");
}
