import { listAt, objectAt, objectsAt, omit, parseJson, type Json, type JsonObject } from "../json.ts";
import type { Step, Steps } from "../steps.ts";
import { planCalling } from "./calling.ts";
import type { Fault, FaultTable } from "./fault.ts";
import { deltaOf, mapBody, mapFrames, withDelta, type Frame } from "./frames.ts";

/** Tool-call fragments that are looser than the strict form. Whole answers are loosened alike. */
export const LOOSE_CALLS: FaultTable = {
  "tool-no-index": loose("Fragments without an index.", (call) => omit(call, "index")),
  "tool-id-again": {
    ...loose("The id on every fragment; `?as=empty`: an empty one on the later ones.", (call) => call),
    change: (steps, { switches }) => repeating(steps, "id", switches.as === "empty"),
  },
  "tool-name-again": {
    ...loose("The name on every fragment.", (call) => call),
    change: (steps) => repeating(steps, "name", false),
  },
  "tool-args-object": {
    ...loose("The arguments as an object, in one piece.", (call) =>
      withArguments(call, (text) => (typeof text === "string" ? parseJson(text) : undefined)),
    ),
    switches: { tools: "whole" },
  },
  "tool-args-null": loose("`arguments: null` beside the name.", (call) =>
    typeof call["id"] === "string" ? withArguments(call, (text) => text ?? null) : call,
  ),
  "tool-type-missing": loose("Calls without a type.", (call) => omit(call, "type")),
  "tool-no-args": {
    ...loose("A call without any arguments.", (call) => withArguments(call, () => undefined)),
    change: (steps, { stream }) => (stream ? argumentless(steps) : loosenBody(steps, withoutArguments)),
  },
};

/** A fault that changes each call entry of deltas and messages. */
function loose(says: string, change: (call: JsonObject) => JsonObject): Fault {
  return {
    says,
    spoils: "both",
    plan: (plan) => planCalling(plan, 1),
    change: (steps, { stream }) =>
      stream ? mapFrames(steps, ["delta", "finish"], (frame) => [loosened(frame, change)]) : loosenBody(steps, change),
  };
}

function loosened(frame: Frame, change: (call: JsonObject) => JsonObject): Frame {
  const calls = objectsAt(deltaOf(frame), "tool_calls");
  return calls.length === 0 ? frame : withDelta(frame, (delta) => ({ ...delta, tool_calls: calls.map(change) }));
}

/** Changes the calls of a whole answer. */
function loosenBody(steps: Steps, change: (call: JsonObject) => JsonObject): Iterable<Step> {
  return mapBody(steps, (body) => {
    for (const choice of listAt(body, "choices")) {
      const message = objectAt(choice, "message") ?? {};
      const calls = objectsAt(message, "tool_calls");
      if (calls.length > 0) message["tool_calls"] = calls.map(change);
    }
    return body;
  });
}

function withArguments(call: JsonObject, change: (text: Json | undefined) => Json | undefined): JsonObject {
  const fn = objectAt(call, "function") ?? {};
  const { arguments: text, ...rest } = fn;
  const changed = change(text);
  return { ...call, function: changed === undefined ? rest : { ...rest, arguments: changed } };
}

function withoutArguments(call: JsonObject): JsonObject {
  return withArguments(call, () => undefined);
}

/** Drops the fragments that have only arguments. */
function argumentless(steps: Steps): Iterable<Step> {
  return mapFrames(steps, ["delta"], (frame) => {
    const calls = objectsAt(deltaOf(frame), "tool_calls");
    const named = calls.filter((call) => typeof call["id"] === "string").map(withoutArguments);
    if (calls.length === 0) return [frame];
    return named.length === 0 ? [] : [withDelta(frame, (delta) => ({ ...delta, tool_calls: named }))];
  });
}

/** What the first fragment of a call said, said again by the later ones. */
function* repeating(steps: Steps, what: "id" | "name", empty: boolean): Generator<Step> {
  const said = new Map<string, JsonObject>();
  yield* mapFrames(steps, ["delta"], (frame) => [
    loosened(frame, (call) => {
      const key = `${frame.choice}/${JSON.stringify(call["index"])}`;
      const fn = objectAt(call, "function") ?? {};
      const first = said.get(key);
      if (first === undefined) {
        said.set(key, { id: call["id"] ?? null, name: fn["name"] ?? null });
        return call;
      }
      return what === "id"
        ? { ...call, id: empty ? "" : (first["id"] ?? null) }
        : { ...call, function: { name: first["name"] ?? null, ...fn } };
    }),
  ]);
}
