import { isObject, type JsonObject } from "../json.ts";
import type { FrameKind, Step, Steps } from "../steps.ts";
import { carrying } from "./carrying.ts";

export type Frame = Step & { do: "frame" };

/** Maps each event of a kind to the steps that take its place. */
export function* mapFrames(
  steps: Steps,
  kinds: readonly FrameKind[],
  change: (frame: Frame, number: number) => Iterable<Step>,
): Generator<Step> {
  let number = 0;
  for (const step of steps) {
    if (step.do === "frame" && kinds.includes(step.kind)) {
      yield* change(step, number);
      number += 1;
    } else yield step;
  }
}

/** The steps up to and including the `count`th token, then others. Whole answers stay as they are. */
export function* after(steps: Steps, count: number, then: (next: Frame) => Iterable<Step>): Generator<Step> {
  let seen = 0;
  for (const step of steps) {
    if (step.do === "frame" && (step.kind === "delta" || step.kind === "finish")) {
      if (seen >= count || step.kind === "finish") return yield* then(step);
      seen += 1;
    }
    yield step;
  }
}

/** The steps before the first one that `stops` holds for. */
export function* until(steps: Steps, stops: (step: Step) => boolean): Generator<Step> {
  for (const step of steps) {
    if (stops(step)) return;
    yield step;
  }
}

/** The steps without those that `drops` holds for. */
export function* without(steps: Steps, drops: (step: Step) => boolean): Generator<Step> {
  for (const step of steps) if (!drops(step)) yield step;
}

export function isFrame(step: Step, ...kinds: FrameKind[]): step is Frame {
  return step.do === "frame" && kinds.includes(step.kind);
}

/** The frame with its only choice changed. */
export function withChoice(frame: Frame, change: (choice: JsonObject) => JsonObject): Frame {
  const choices = frame.chunk["choices"];
  const [choice] = Array.isArray(choices) ? choices : [];
  return isObject(choice) ? { ...frame, chunk: { ...frame.chunk, choices: [change(choice)] } } : frame;
}

/** The frame with its delta changed; the other keys of the choice keep their places. */
export function withDelta(frame: Frame, change: (delta: JsonObject) => JsonObject): Frame {
  return withChoice(frame, (choice) => ({ ...choice, delta: change(deltaIn(choice)) }));
}

export function deltaOf(frame: Frame): JsonObject {
  const choices = frame.chunk["choices"];
  const [choice] = Array.isArray(choices) ? choices : [];
  return isObject(choice) ? deltaIn(choice) : {};
}

function deltaIn(choice: JsonObject): JsonObject {
  const { delta } = choice;
  return isObject(delta) ? delta : {};
}

/** The same frame with another text, or with the ids of one. */
export function saying(frame: Frame, text: string): Frame {
  return withChoice({ ...frame, kind: "delta" }, (choice) => carrying(choice, text));
}

/** A finish made from a delta's frame, in the shape that has been seen in both dialects. */
export function finishing(frame: Frame, reason: string): Frame {
  const finish = withChoice(frame, (choice) => {
    const { finish_reason: _, ...rest } = choice;
    return { ...("delta" in rest ? { ...rest, delta: {} } : carrying(rest, "")), finish_reason: reason };
  });
  return { ...finish, kind: "finish" };
}

/** Maps the body of a whole answer. */
export function* mapBody(steps: Steps, change: (body: JsonObject) => JsonObject): Generator<Step> {
  for (const step of steps) {
    yield step.do === "reply" && isObject(step.body) ? { ...step, body: change(structuredClone(step.body)) } : step;
  }
}
