import type { OperationName } from "../engine/operation.ts";
import { textOf, type Header, type Step, type Steps } from "../steps.ts";
import { filling, hollowed } from "./carrying.ts";
import { errorEvent, failing, failingWhole } from "./error-event.ts";
import type { Fault, FaultContext, FaultTable } from "./fault.ts";
import { after, isFrame, saying, type Frame } from "./frames.ts";
import { EVERYWHERE, TEXTUAL } from "./where.ts";

const TOKENS = 3;

/** Streams that stop in the middle. `at` says after how many tokens; whole answers are cut as far as that makes sense. */
export const CUTS: FaultTable = {
  "error-mid": cut("An error event after 3 tokens (`at`, `status`), then `[DONE]`.", {
    stream: (_, context) => failing(context, context.switches.status ?? 500),
    whole: (_, context) => [failingWhole(context, context.switches.status ?? 500)],
  }),
  "error-mid-open": cut("An error event after 3 tokens, then neither `[DONE]` nor a close.", {
    stream: (_, context) => [errorEvent(context, context.switches.status ?? 500), { do: "hold" }],
    whole: (_, context) => [failingWhole(context, context.switches.status ?? 500)],
  }),
  "eof-mid": cut("A clean end after 3 tokens, no finish; a whole answer ends in its half.", {
    stream: () => [{ do: "end" }],
    whole: (steps) => halfBody(steps, [{ do: "close" }]),
    in: EVERYWHERE,
  }),
  // The reset waits a little: what is on its way when it comes may be lost.
  "reset-mid": cut("RST after 3 tokens; in the middle of a whole answer.", {
    stream: () => [{ do: "wait", ms: 20 }, { do: "reset" }],
    whole: (steps) => halfBody(steps, [{ do: "wait", ms: 20 }, { do: "reset" }]),
    in: EVERYWHERE,
  }),
  "half-frame": cut("Ends inside an event's JSON.", {
    stream: (next) => [{ do: "write", bytes: half(textOf(next) ?? "") }, { do: "end" }],
  }),
  "half-utf8": cut("Ends inside a character.", {
    stream(next) {
      const bytes = Buffer.from(textOf(saying(next, "天気")) ?? "");
      return [{ do: "write", bytes: bytes.subarray(0, bytes.indexOf("気") + 1) }, { do: "end" }];
    },
    // An id is never cut inside a character.
    in: TEXTUAL,
  }),
  "no-last-blank": {
    says: "The last event, `[DONE]`, without its blank line, then the end; `?as=finish`: the finish is the last.",
    spoils: "stream",
    *change(steps, { switches }) {
      for (const step of steps) {
        const last = switches.as === "finish" ? isFrame(step, "finish") : step.do === "done";
        if (last) {
          yield { do: "write", bytes: textOf(step)?.trimEnd() ?? "", frames: 1 };
          return yield { do: "end" };
        }
        yield step;
      }
    },
  },
  stall: cut("Stops after 3 tokens, the socket stays open.", { stream: () => [{ do: "hold" }] }),
  "stall-comments": cut("Stops after 3 tokens, but comments keep coming (`keepalive_ms`, default 200).", {
    stream: (_, { switches }) => [{ do: "hold", comments: switches.keepalive_ms ?? 200 }],
  }),
  "bad-json": {
    says: "One broken line after 3 tokens, then good ones again.",
    spoils: "stream",
    *change(steps, { switches }) {
      let seen = 0;
      for (const step of steps) {
        if (isFrame(step, "delta", "finish") && seen++ === (switches.at ?? TOKENS)) {
          yield { do: "write", bytes: `${half(textOf(step) ?? "")}\n\n`, frames: 1 };
        }
        yield step;
      }
    },
  },
  "huge-frame": cut("One event of 100 MB (`size` in bytes) after 3 tokens.", {
    stream: (next, { switches }) => huge(next, switches.size ?? 100_000_000),
  }),
};

interface Cut {
  stream(next: Frame, context: FaultContext): Iterable<Step>;
  whole?(steps: Steps, context: FaultContext): Iterable<Step>;
  in?: readonly OperationName[];
}

function cut(says: string, kinds: Cut): Fault {
  return {
    says,
    spoils: kinds.whole === undefined ? "stream" : "both",
    ...(kinds.in === undefined ? {} : { in: kinds.in }),
    change: (steps, context) =>
      context.stream
        ? after(steps, context.switches.at ?? TOKENS, (next) => kinds.stream(next, context))
        : (kinds.whole?.(steps, context) ?? steps),
  };
}

function half(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

/** A whole answer whose head promises all of it, its first half, then something else. */
export function* halfBody(steps: Steps, then: Iterable<Step>): Generator<Step> {
  for (const step of steps) {
    if (step.do !== "reply") yield step;
    else {
      const bytes = Buffer.from(JSON.stringify(step.body ?? null));
      const headers = step.headers.map(([name, value]): Header => [name, value.replace("$LENGTH", `${bytes.length}`)]);
      yield { do: "head", status: step.status, headers, framing: "raw" };
      yield { do: "write", bytes: bytes.subarray(0, bytes.length / 2) };
      return yield* then;
    }
  }
}

/** An event of that many bytes. */
function* huge(next: Frame, size: number): Generator<Step> {
  const hollow = hollowed((mark) => saying(next, mark).chunk);
  yield { do: "write", bytes: "data: ", frames: 1 };
  for (const bytes of filling(hollow, size - "data: \n\n".length)) yield { do: "write", bytes };
  yield { do: "write", bytes: "\n\n" };
  yield { do: "done" };
  yield { do: "end" };
}
