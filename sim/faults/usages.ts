import { omit, type JsonObject } from "../json.ts";
import { inStream, type FaultTable } from "./fault.ts";
import { isFrame, mapBody, mapFrames, without, type Frame } from "./frames.ts";

const NONSENSE: JsonObject = { prompt_tokens: -5, total_tokens: 3, completion_tokens: null };

/** What goes wrong with the usage. */
export const USAGES: FaultTable = {
  "no-usage": {
    says: "No usage chunk though asked for (per-chunk usage stays); a whole answer without `usage`.",
    spoils: "both",
    change: (steps, { stream }) =>
      stream ? without(steps, (step) => isFrame(step, "usage")) : mapBody(steps, (body) => omit(body, "usage")),
  },
  "usage-twice": inStream("The usage chunk twice.", (steps) => mapFrames(steps, ["usage"], (frame) => [frame, frame])),
  "usage-early": inStream("The usage chunk before the finish.", function* (steps) {
    const finishes: Frame[] = [];
    for (const step of steps) {
      if (isFrame(step, "finish")) finishes.push(step);
      else if (finishes.length > 0 && isFrame(step, "usage")) {
        yield step;
        yield* finishes.splice(0);
      } else {
        if (step.do === "done") yield* finishes.splice(0);
        yield step;
      }
    }
  }),
  "usage-everywhere": { says: "Usage on every chunk, unasked.", spoils: "stream", switches: { usage: "forced" } },
  "usage-nonsense": {
    says: "Usage with a negative, a null and a wrong sum.",
    spoils: "both",
    change: (steps, { stream }) =>
      stream
        ? mapFrames(steps, ["usage"], (frame) => [{ ...frame, chunk: { ...frame.chunk, usage: NONSENSE } }])
        : mapBody(steps, (body) => ({ ...body, usage: NONSENSE })),
  },
};
