import type { Step, Steps } from "../steps.ts";
import { failing, failingWhole } from "./error-event.ts";
import { inStream, type Fault, type FaultTable } from "./fault.ts";
import { isFrame, mapFrames, until, without } from "./frames.ts";
import { CHAT_ONLY } from "./where.ts";

/** What goes wrong in the first events. */
export const FIRST_FRAMES: FaultTable = {
  "error-first": failsFirst("200, then an error event with 400 inside (`status`), `[DONE]`.", 400),
  "error-first-500": failsFirst("200, then the error event of a dead engine, `[DONE]`.", 500),
  "role-then-error": {
    says: "A role chunk, then an error event (`status`, default 500), `[DONE]`.",
    spoils: "both",
    in: CHAT_ONLY,
    *change(steps, context) {
      const status = context.switches.status ?? 500;
      if (!context.stream) return yield failingWhole(context, status);
      yield* until(steps, (step) => isFrame(step, "delta", "finish"));
      yield* failing(context, status);
    },
  },
  "done-only": inStream("200, only `[DONE]`.", function* (steps) {
    yield* without(steps, (step) => step.do === "frame");
  }),
  "comments-first": inStream(
    "Comments for 3 s (`prefill_ms`), one each 250 ms (`keepalive_ms`), then tokens.",
    function* (steps, { switches }) {
      const { prefill_ms: total = 3000, keepalive_ms: every = 250 } = switches;
      let begun = false;
      for (const step of steps) {
        // These comments stand for the silence before the first token.
        if (begun && step.do === "wait") begun = false;
        else yield step;
        if (step.do !== "head") continue;
        begun = true;
        for (let waited = 0; waited < total; waited += every) {
          yield* [{ do: "comment" }, { do: "wait", ms: every }] satisfies Step[];
        }
      }
    },
  ),
  "no-role": ofRole("No role chunk.", (steps) => without(steps, (step) => isFrame(step, "role"))),
  "two-roles": ofRole("Two role chunks for each choice.", (steps) =>
    mapFrames(steps, ["role"], (frame) => [frame, frame]),
  ),
  "late-role": ofRole("The role chunk after the first token.", function* (steps) {
    let held: Step[] = [];
    for (const step of steps) {
      if (isFrame(step, "role")) held.push(step);
      else {
        yield step;
        if (isFrame(step, "delta", "finish")) {
          yield* held;
          held = [];
        }
      }
    }
  }),
};

/** Only chat has a role chunk. */
function ofRole(says: string, change: (steps: Steps) => Iterable<Step>): Fault {
  return { ...inStream(says, change), in: CHAT_ONLY };
}

function failsFirst(says: string, usual: number): Fault {
  return {
    says,
    spoils: "both",
    *change(steps, context) {
      const status = context.switches.status ?? usual;
      if (!context.stream) return yield failingWhole(context, status);
      yield* until(steps, (step) => step.do === "frame");
      yield* failing(context, status);
    },
  };
}
