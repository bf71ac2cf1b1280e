/** Tool calls in fragments, as loose as any origin may write them, and beside them what they are. */
import * as fc from "fast-check";
import { asObject, type Json } from "./chat-records.ts";

export interface LooseCalls {
  readonly deltas: Json[];
  readonly calls: { id: unknown; name: string; args: string }[];
}

/** `MADE` stands for an id that the origin does not give. */
export const MADE = "made by the gateway";

const argumentsOf = () =>
  fc.dictionary(fc.constantFrom("a", 'b"', "c\\"), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });

/** With `cut`, a limit has cut the answer, so a call without arguments stays without. */
export function looseCalls(g: fc.GeneratorValue, cut: boolean): LooseCalls {
  const count = g(fc.constantFrom, 0, 0, 1, 2, 3);
  const calls: LooseCalls["calls"] = [];
  const streams: Json[][] = [];
  /** How calls are told apart; only with an index or an id on each fragment may they be mixed. */
  const keyed = g(fc.constantFrom, "index", "index as text", "far index", "id", "one index", "nothing");
  const mixed = ["index", "index as text", "far index", "id"].includes(keyed) && g(fc.boolean);
  const ids = keyed === "id" || keyed === "one index" ? true : g(fc.boolean);
  for (let at = 0; at < count; at += 1) {
    const call = { id: ids ? `id-${at}` : MADE, name: `tool_${at}`, args: JSON.stringify(g(argumentsOf)) };
    const fragments = write(g, call);
    const indices: Json = { index: at, "index as text": `${at}`, "far index": at * 3 + 4, "one index": 0 };
    for (const [place, fragment] of fragments.entries()) {
      if (indices[keyed] !== undefined) fragment["index"] = indices[keyed];
      if (ids && (place === 0 || keyed === "id" || g(fc.nat, { max: 3 }) === 0)) fragment["id"] = call.id;
    }
    if (call.args === "" && !cut) call.args = "{}";
    calls.push(call);
    streams.push(fragments);
  }
  const order = mixed ? mix(g, streams) : streams.flat();
  const firsts = streams.map(([first]) => order.findIndex((fragment) => fragment === first));
  const began = (call: LooseCalls["calls"][number]): number => firsts[calls.indexOf(call)] ?? 0;
  const deltas: Json[] = [];
  while (order.length > 0) deltas.push({ tool_calls: order.splice(0, g(fc.constantFrom, 1, 1, 2)) });
  return { deltas, calls: calls.toSorted((a, b) => began(a) - began(b)) };
}

/** Writes one call in fragments; what cannot be seen from them is taken out of `call`. */
function write(g: fc.GeneratorValue, call: LooseCalls["calls"][number]): Json[] {
  const way = g(fc.constantFrom, "pieces", "pieces", "whole", "object", "null", "none", "broken");
  if (way === "broken") call.args = call.args.slice(0, -1);
  if (way === "none") call.args = "";
  const whole = way === "whole" || way === "object" || way === "none";
  const pieces: unknown[] = whole ? [call.args] : cutUp(g, call.args);
  if (way === "object") pieces[0] = JSON.parse(call.args);
  if (way === "null") pieces.unshift(null);
  const fragments: Json[] = pieces.map((args) => ({ function: way === "none" ? {} : { arguments: args } }));
  const again = g(fc.boolean);
  for (const [place, fragment] of fragments.entries()) {
    if (place > 0 && !again) continue;
    fragment["function"] = { name: call.name, ...asObject(fragment["function"]) };
    if (g(fc.boolean)) fragment["type"] = "function";
  }
  return fragments;
}

function cutUp(g: fc.GeneratorValue, args: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < args.length;) {
    const size = 1 + g(fc.nat, { max: 8 });
    if (g(fc.nat, { max: 5 }) === 1) pieces.push("");
    pieces.push(args.slice(at, at + size));
    at += size;
  }
  return pieces;
}

function mix(g: fc.GeneratorValue, streams: readonly Json[][]): Json[] {
  const rest = streams.map((stream) => [...stream]);
  const out: Json[] = [];
  for (;;) {
    const open = rest.filter((stream) => stream.length > 0);
    if (open.length === 0) return out;
    const next = g(fc.constantFrom, ...open).shift();
    if (next) out.push(next);
  }
}
