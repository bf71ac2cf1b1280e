import { isObject, omit, type Json, type JsonObject } from "../json.ts";
import { textOf, type Step } from "../steps.ts";
import { inStream, type FaultTable } from "./fault.ts";
import { isFrame, mapBody, mapFrames, saying, withChoice, type Frame } from "./frames.ts";

/** Strange events, and many of them. */
export const CONTENTS: FaultTable = {
  "foreign-id": inStream("`id` (or `request_id`), `created` and `model` change or are missing.", (steps) =>
    mapFrames(steps, ["delta", "finish", "usage"], (frame, number) => {
      if (number % 3 === 1) return [{ ...frame, chunk: omit(frame.chunk, "id", "request_id", "created", "model") }];
      if (number % 3 !== 2) return [frame];
      const id = "request_id" in frame.chunk ? "request_id" : "id";
      const others = { [id]: `other-${number}`, created: number, model: "/model/shard-1" };
      return [{ ...frame, chunk: { ...frame.chunk, ...others } }];
    }),
  ),
  "unknown-fields": {
    says: "Fields that nobody heard of, at every level.",
    spoils: "both",
    change: (steps, { stream }) =>
      stream
        ? mapFrames(steps, ["role", "delta", "finish", "usage"], (frame) => [
            { ...frame, chunk: markedObject(frame.chunk) },
          ])
        : mapBody(steps, markedObject),
  },
  "null-delta": inStream("Chunks with `delta: null` (or `text`, or `token_ids`) between the others.", (steps) =>
    mapFrames(steps, ["delta"], (frame) => [withChoice(frame, nothing), frame]),
  ),
  "no-choices": inStream("Chunks without `choices` between the others.", (steps) =>
    mapFrames(steps, ["delta"], (frame) => {
      return [{ ...frame, chunk: omit(frame.chunk, "choices") }, frame];
    }),
  ),
  burst: inStream("2,000 events (`events`) in one write.", (steps, { switches }) =>
    instead(steps, (frame) => {
      const count = switches.events ?? 2000;
      const texts = Array.from({ length: count }, (_, number) => textOf(saying(frame, ` ${number}`)) ?? "");
      return [{ do: "write", bytes: texts.join(""), frames: count }];
    }),
  ),
  long: inStream("100,000 events (`events`), as fast as the client takes them.", (steps, { switches }) =>
    instead(steps, function* (frame) {
      for (let number = 0; number < (switches.events ?? 100_000); number += 1) yield saying(frame, ` ${number}`);
    }),
  ),
};

/** The first token's place is taken by others, and the rest of the tokens left out. */
function* instead(steps: Iterable<Step>, others: (frame: Frame) => Iterable<Step>): Generator<Step> {
  let begun = false;
  for (const step of steps) {
    const token = isFrame(step, "delta");
    if (token && !begun) yield* others(step);
    begun ||= token;
    // Once it has begun nothing is waited for.
    if (!token && !(begun && step.do === "wait")) yield step;
  }
}

/** A choice with a null where its text, its delta or its ids are. */
function nothing(choice: JsonObject): JsonObject {
  const key = ["delta", "text", "token_ids"].find((name) => name in choice) ?? "delta";
  return { ...choice, [key]: null };
}

function marked(value: Json): Json {
  if (Array.isArray(value)) return value.map(marked);
  return isObject(value) ? markedObject(value) : value;
}

function markedObject(object: JsonObject): JsonObject {
  const entries = Object.entries(object).map(([key, item]): [string, Json] => [key, marked(item)]);
  return { ...Object.fromEntries(entries), x_sim: { since: "0.99", tags: ["é", null] } };
}
