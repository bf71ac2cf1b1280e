/** Fragments of tool calls as origins send them, loosely, and the call that each belongs to. */
import type { JsonCompleteness } from "../../core/json/completeness.ts";
import { isObject, type JsonObject } from "../../core/json/object.ts";

export interface Fragment {
  readonly entry: JsonObject;
  /** The origin's own index, where it gave a whole number. */
  readonly key: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** The piece of the arguments' text; an object that came instead is written out. */
  readonly args: string;
}

export interface Call {
  /** Our own index: calls count from 0 in the order in which they began. */
  readonly index: number;
  readonly key: number | undefined;
  /** The origin's own id for it. */
  id: string | undefined;
  name: string | undefined;
  started: boolean;
  /** Follows all arguments that have come, those of waiting fragments too. */
  readonly scan: JsonCompleteness;
  readonly waiting: Fragment[];
  waitingLength: number;
}

export function readFragment(entry: JsonObject): Fragment {
  const fn = isObject(entry["function"]) ? entry["function"] : {};
  const { index } = entry;
  const key = typeof index === "string" ? Number.parseInt(index, 10) : index;
  return {
    entry,
    key: typeof key === "number" && Number.isInteger(key) ? key : undefined,
    id: text(entry["id"]),
    name: text(fn["name"]),
    args: readArguments(fn["arguments"]),
  };
}

/**
 * Returns the call that a fragment goes on with, or `undefined` when it begins one. An index decides, unless it is used
 * a second time; without an index the id decides, and without both a name begins a call unless it repeats that of a
 * call still under way.
 */
export function findCall(calls: readonly Call[], fragment: Fragment): Call | undefined {
  const { key, id, name } = fragment;
  const last = calls.at(-1);
  if (key !== undefined) {
    const call = calls.findLast((candidate) => candidate.key === key);
    if (call) return beginsAgain(call, fragment) ? undefined : call;
    return id === undefined && name === undefined && last?.key === undefined ? last : undefined;
  }
  if (id !== undefined) {
    const call = calls.findLast((candidate) => candidate.id === id);
    return call ?? (name === undefined && last?.id === undefined ? last : undefined);
  }
  if (name === undefined || last?.name === undefined) return last;
  return last.name === name && !last.scan.complete ? last : undefined;
}

/** Some servers count every call as the first. Another id alone is no new call while arguments are still under way. */
function beginsAgain(call: Call, { id, name, args }: Fragment): boolean {
  if (id !== undefined && call.id !== undefined) {
    return id !== call.id && (name !== undefined || call.scan.complete);
  }
  if (name === undefined || call.name === undefined) return false;
  return name !== call.name || (call.scan.complete && args.trim() !== "");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function readArguments(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
