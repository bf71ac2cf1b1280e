import { callText } from "../chat/speak.ts";
import { isObject, listAt, objectAt, objectsAt, omit, stringAt, type JsonObject } from "../json.ts";
import type { Step, Steps } from "../steps.ts";
import { piecesOf } from "../text/pieces.ts";
import { callsOf, planCalling, planSaying } from "./calling.ts";
import { finishes } from "./endings.ts";
import type { FaultTable } from "./fault.ts";
import { deltaOf, isFrame, mapBody, mapFrames, saying, withChoice, withDelta, type Frame } from "./frames.ts";

/** What goes wrong with calls as a whole. */
export const CALLS: FaultTable = {
  "tool-interleaved": {
    says: "The fragments of two calls mixed.",
    spoils: "both",
    plan: (plan) => planCalling(plan, 2),
    change: (steps, { stream }) => (stream ? shuffled(steps) : steps),
  },
  "tool-broken": {
    says: "The arguments stop in the middle, finish `tool_calls`.",
    spoils: "both",
    plan: (plan) => planSaying(plan, brokenCall(callsOf(plan, 1).map(callText)[0] ?? "")),
  },
  "tool-two-not-parallel": {
    says: "Two calls, even with `parallel_tool_calls: false`.",
    spoils: "both",
    plan: (plan) => planCalling(plan, 2),
  },
  "tool-space": {
    says: "White space before, between and after two calls.",
    spoils: "both",
    plan: (plan) => planCalling(plan, 2),
    change: (steps, { stream }) => (stream ? spaced(steps) : mapBody(steps, spacedBody)),
  },
  "tool-stop": { ...finishes("stop"), says: "Calls, then finish `stop`.", plan: (plan) => planCalling(plan, 1) },
  "tool-length": {
    says: "Cut inside the arguments, finish `length`.",
    spoils: "both",
    plan(plan) {
      const text = callsOf(plan, 1).map(callText)[0] ?? "";
      return { ...planSaying(plan, text), limit: piecesOf(brokenCall(text)).length };
    },
  },
  "tool-legacy": {
    says: "`function_call` instead of `tool_calls`.",
    spoils: "both",
    plan: (plan) => planCalling(plan, 1),
    change: (steps, { stream }) =>
      stream
        ? mapFrames(steps, ["delta", "finish"], (frame) => [
            frame.kind === "finish"
              ? withChoice(frame, (choice) => ({ ...choice, finish_reason: "function_call" }))
              : withDelta(frame, legacy),
          ])
        : mapBody(steps, legacyBody),
  },
};

/** The text of a call up to the middle of its arguments, at least their first character. */
function brokenCall(text: string): string {
  const start = text.indexOf('"arguments": ') + '"arguments": '.length;
  const end = text.lastIndexOf("}\n</tool_call>");
  return text.slice(0, start + Math.max(1, Math.floor((end - start) / 2)));
}

/** Two calls, first both names, then a fragment of each in turn. */
function* shuffled(steps: Steps): Generator<Step> {
  const held: Frame[][] = [];
  for (const step of steps) {
    const [call] = isFrame(step, "delta") ? listAt(deltaOf(step), "tool_calls") : [];
    if (isFrame(step, "delta") && isObject(call)) (held[Number(call["index"] ?? 0)] ??= []).push(step);
    else {
      if (isFrame(step, "finish")) {
        const [first = [], second = []] = held.splice(0);
        for (let at = 0; at < Math.max(first.length, second.length); at += 1) {
          yield* [first[at], second[at]].filter((frame) => frame !== undefined);
        }
      }
      if (!(held.length > 0 && step.do === "frame")) yield step;
    }
  }
}

function* spaced(steps: Steps): Generator<Step> {
  let calls = 0;
  for (const step of steps) {
    if (isFrame(step, "delta")) {
      const [call] = listAt(deltaOf(step), "tool_calls");
      if (stringAt(call, "id") !== undefined) {
        yield saying(step, calls === 0 ? "\n\n" : "\n");
        calls += 1;
      } else if (call === undefined) continue;
    }
    if (isFrame(step, "finish")) {
      yield saying(
        withChoice(step, (choice) => omit(choice, "finish_reason", "stop_reason")),
        " \n",
      );
    }
    yield step;
  }
}

function spacedBody(body: JsonObject): JsonObject {
  for (const message of messagesOf(body)) message["content"] = "\n\n\n \n";
  return body;
}

function legacy(delta: JsonObject): JsonObject {
  const calls = objectsAt(delta, "tool_calls").map((call) => objectAt(call, "function") ?? {});
  if (calls.length === 0) return delta;
  const merged = calls.reduce((all, call) => ({ ...all, ...call }), {});
  return { ...omit(delta, "tool_calls"), function_call: merged };
}

function legacyBody(body: JsonObject): JsonObject {
  for (const message of messagesOf(body)) {
    message["function_call"] = objectAt(objectsAt(message, "tool_calls")[0], "function") ?? null;
    delete message["tool_calls"];
  }
  for (const choice of objectsAt(body, "choices")) choice["finish_reason"] = "function_call";
  return body;
}

function messagesOf(body: JsonObject): JsonObject[] {
  return listAt(body, "choices")
    .map((choice) => objectAt(choice, "message"))
    .filter((message) => message !== undefined);
}
