/** Fragments of tool calls as origins send them, loosely, and the call that each belongs to. */
import { JsonCompleteness } from "../../core/json/completeness.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";
import { readIndex } from "../choice.ts";

/** More than any id or name has, in characters: those of every call are kept until the stream ends. */
const MAX_NAME = 1_024;

export interface Fragment {
  readonly entry: JsonObject;
  /** The origin's own index, where it gave one. */
  readonly key: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** The piece of the arguments' text; an object that came instead is written out. */
  readonly args: string;
}

/** A call's arguments as they come. An unquoted number or word may always go on: only the finish tells that it is over. */
export class Arguments {
  readonly #scan = new JsonCompleteness();
  #first = "";

  push(piece: string): void {
    if (this.empty) this.#first = piece.trimStart().charAt(0);
    this.#scan.push(piece);
  }

  /** Whether nothing but white space has come. */
  get empty(): boolean {
    return this.#scan.empty;
  }

  /** Whether nothing can follow that would not break them. */
  get over(): boolean {
    return (this.#first === "{" || this.#first === "[" || this.#first === '"') && this.#scan.complete;
  }
}

export interface Call {
  /** Our own index: calls count from 0 in the order in which they began. */
  readonly index: number;
  readonly key: number | undefined;
  /** The origin's own id for it. */
  id: string | undefined;
  name: string | undefined;
  started: boolean;
  /** All arguments that have come, those of waiting fragments too. */
  readonly args: Arguments;
  readonly waiting: Fragment[];
  waitingLength: number;
}

/** Returns the fragments of one delta, or `undefined` where an entry is none that can be read; a `null` is none. */
export function readFragments(entries: readonly unknown[]): Fragment[] | undefined {
  const fragments: Fragment[] = [];
  for (const entry of entries) {
    if (entry === null) continue;
    const fragment = isObject(entry) ? readFragment(entry) : undefined;
    if (!fragment) return undefined;
    fragments.push(fragment);
  }
  return fragments;
}

function readFragment(entry: JsonObject): Fragment | undefined {
  const key = readIndex(entry["index"]);
  const fn = entry["function"] ?? {};
  if (key === "wrong" || !isObject(fn)) return undefined;
  const id = text(entry["id"]);
  const name = text(fn["name"]);
  if (isTooLong(id) || isTooLong(name)) return undefined;
  return {
    entry,
    key: key === "absent" ? undefined : key,
    id,
    name,
    args: readArguments(fn["arguments"]),
  };
}

/** Whether the fragment says enough to begin a call. */
export function begins({ id, name, args }: Fragment): boolean {
  return id !== undefined || name !== undefined || args !== "";
}

/** The calls that fragments may go on with. */
export class KnownCalls {
  readonly #byKey = new Map<number, Call>();
  readonly #byId = new Map<string, Call>();
  #last: Call | undefined;

  add(call: Call): void {
    this.#last = call;
    if (call.key !== undefined) this.#byKey.set(call.key, call);
  }

  name(call: Call, { id, name }: Fragment): void {
    if (call.id === undefined && id !== undefined) this.#byId.set((call.id = id), call);
    call.name ??= name;
  }

  forget(call: Call): void {
    if (call.key !== undefined) this.#byKey.delete(call.key);
    if (call.id !== undefined) this.#byId.delete(call.id);
  }

  /**
   * Returns the call that a fragment goes on with, or `undefined` when it begins one. An index decides, unless it is
   * used a second time; without an index the id decides, and without both a name begins a call unless it repeats that
   * of a call still under way.
   */
  find(fragment: Fragment): Call | undefined {
    const { key, id, name } = fragment;
    const last = this.#last;
    if (key !== undefined) {
      const call = this.#byKey.get(key);
      if (call) return beginsAgain(call, fragment) ? undefined : call;
      return id === undefined && name === undefined && last?.key === undefined ? last : undefined;
    }
    if (id !== undefined) {
      return this.#byId.get(id) ?? (name === undefined && last?.id === undefined ? last : undefined);
    }
    if (name === undefined || last?.name === undefined) return last;
    return last.name === name && !last.args.over ? last : undefined;
  }
}

/** Some servers count every call as the first. Another id alone is no new call while arguments are still under way. */
function beginsAgain(call: Call, { id, name, args }: Fragment): boolean {
  if (id !== undefined && call.id !== undefined) {
    return id !== call.id && (name !== undefined || call.args.over);
  }
  if (name === undefined || call.name === undefined) return false;
  // A name alone may be said once more of a call that has an id; where none has, nothing else tells two calls apart.
  return name !== call.name || (call.args.over && (call.id === undefined || args.trim() !== ""));
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isTooLong(name: string | undefined): boolean {
  return name !== undefined && name.length > MAX_NAME;
}

function readArguments(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
