import { listAt, objectsAt, omit, stringAt, type JsonObject } from "../json.ts";
import type { Step, Steps } from "../steps.ts";
import { inStream, type Fault, type FaultTable } from "./fault.ts";
import {
  deltaOf,
  finishing,
  isFrame,
  mapBody,
  mapFrames,
  saying,
  until,
  withChoice,
  without,
  type Frame,
} from "./frames.ts";

/** What goes wrong with finishes and terminators. */
export const ENDINGS: FaultTable = {
  "no-done": inStream("A clean end without `[DONE]`.", (steps) => without(steps, (step) => step.do === "done")),
  "no-done-open": inStream("No `[DONE]`, no usage, and the socket stays open.", function* (steps) {
    yield* until(steps, (step) => step.do === "done" || isFrame(step, "usage"));
    yield { do: "hold" };
  }),
  "one-of-two-cut": inStream(
    "With n=2 (or two prompts) choice 1 does not finish, and the stream ends without `[DONE]`.",
    (steps) => without(steps, (step) => lastOfOther(step) || step.do === "done" || isFrame(step, "usage")),
  ),
  "one-of-two": inStream("With n=2 (or two prompts) choice 1 does not finish, then `[DONE]`.", (steps) =>
    without(steps, lastOfOther),
  ),
  "no-finish": inStream("`[DONE]` without any finish.", (steps) =>
    mapFrames(steps, ["finish"], (frame) =>
      // Only the reason is forgotten: what rides on the finish is still said.
      speaks(frame) ? [{ ...finishless(frame), kind: "delta" }] : [],
    ),
  ),
  "two-finishes": inStream("The finish twice.", (steps) => mapFrames(steps, ["finish"], (frame) => [frame, frame])),
  "two-done": inStream("`[DONE]` twice.", function* (steps) {
    for (const step of steps) {
      yield step;
      if (step.do === "done") yield step;
    }
  }),
  "after-done": inStream("A token and a finish after `[DONE]`.", function* (steps) {
    let finish: Frame | undefined;
    for (const step of steps) {
      if (isFrame(step, "finish")) finish = step;
      yield step;
      if (step.do !== "done" || finish === undefined) continue;
      yield saying(finishless(finish), " too late");
      yield finish;
    }
  }),
  "finish-with-text": inStream("The last piece rides on the finish.", ridden),
  "finish-early": inStream("The finish after 3 tokens (`at`), then more tokens.", function* (steps, { switches }) {
    const seen = new Map<number, number>();
    for (const step of steps) {
      if (step.do === "frame" && step.kind === "finish") continue;
      yield step;
      if (step.do !== "frame" || step.kind !== "delta") continue;
      const count = (seen.get(step.choice) ?? 0) + 1;
      seen.set(step.choice, count);
      if (count === (switches.at ?? 3)) yield finishing(step, "stop");
    }
  }),
  "finish-empty": inStream('`finish_reason: ""` on every chunk.', (steps) =>
    mapFrames(steps, ["role", "delta"], (frame) => [withChoice(frame, (choice) => ({ ...choice, finish_reason: "" }))]),
  ),
  "finish-abort": finishes("abort"),
  "finish-error": finishes("error"),
  "finish-repetition": finishes("repetition"),
  "finish-new": finishes("moonrise"),
};

/** Another word for why it ended, streamed or whole. */
export function finishes(reason: string): Fault {
  return {
    says: `\`finish_reason: "${reason}"\`.`,
    spoils: "both",
    change: (steps, { stream }) =>
      stream
        ? mapFrames(steps, ["finish"], (frame) => [
            withChoice(frame, (choice) => ({ ...choice, finish_reason: reason })),
          ])
        : mapBody(steps, (body) => ({
            ...body,
            choices: objectsAt(body, "choices").map((choice) => ({ ...choice, finish_reason: reason })),
          })),
  };
}

function lastOfOther(step: Step): boolean {
  return isFrame(step, "finish") && step.choice > 0;
}

function finishless(frame: Frame): Frame {
  return withChoice(frame, (choice) => omit(choice, "finish_reason", "stop_reason"));
}

/** Holds the last token of each choice until it is known whether the finish follows. */
function* ridden(steps: Steps): Generator<Step> {
  const held = new Map<number, Frame>();
  for (const step of steps) {
    if (step.do === "frame" && step.kind === "delta") {
      const before = held.get(step.choice);
      if (before !== undefined) yield before;
      held.set(step.choice, step);
    } else if (step.do === "frame" && step.kind === "finish") {
      const last = held.get(step.choice);
      held.delete(step.choice);
      if (last !== undefined && speaks(step)) yield last;
      yield last === undefined || speaks(step) ? step : joined(last, step);
    } else yield step;
  }
}

/** True for a finish that says something itself, as generate's always does: nothing need be joined to it. */
function speaks(finish: Frame): boolean {
  const [choice = {}] = objectsAt(finish.chunk, "choices");
  if ("delta" in choice) return Object.keys(deltaOf(finish)).length > 0;
  return "text" in choice ? choice["text"] !== "" : listAt(choice, "token_ids").length > 0;
}

/** What the last token says and the reason of the finish in one frame. */
function joined(last: Frame, finish: Frame): Frame {
  const [token = {}] = objectsAt(last.chunk, "choices");
  return withChoice(finish, (choice) => {
    const ids = [...listAt(token, "token_ids"), ...listAt(choice, "token_ids")];
    const kept: JsonObject = {};
    if ("delta" in token) kept["delta"] = token["delta"] ?? {};
    if ("text" in token) kept["text"] = (stringAt(token, "text") ?? "") + (stringAt(choice, "text") ?? "");
    if (token["logprobs"] !== undefined) kept["logprobs"] = token["logprobs"];
    if (ids.length > 0) kept["token_ids"] = ids;
    return { ...choice, ...kept };
  });
}
