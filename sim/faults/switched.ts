import { omit } from "../json.ts";
import { textOf, type Step, type Steps } from "../steps.ts";
import { carrying } from "./carrying.ts";
import { failing, failingWhole } from "./error-event.ts";
import type { FaultContext } from "./fault.ts";
import { after, isFrame, withChoice } from "./frames.ts";
import { TEXTUAL } from "./where.ts";

/** The switches that are transforms over steps, in the order in which they build on each other. */
export function turnSwitches(steps: Steps, context: FaultContext): Steps {
  const { switches, operation } = context;
  let turned: Steps = steps;
  if (switches.empty_deltas === true) turned = emptyDeltas(turned, context);
  if (switches.error !== undefined) turned = errorFirst(turned, context, switches.error);
  if (switches.error_after !== undefined) turned = after(turned, switches.error_after, () => failing(context, 500));
  if (switches.cut_after !== undefined) turned = after(turned, switches.cut_after, () => [{ do: "close" }]);
  if (switches.gate !== undefined) turned = gated(turned, switches.gate);
  if (switches.head_ms !== undefined) turned = later(turned, switches.head_ms);
  // vLLM sends comments in chat and completions only, whatever its option says.
  const comments = TEXTUAL.includes(operation);
  if (switches.keepalive_ms !== undefined && comments) turned = kept(turned, switches.keepalive_ms);
  if (switches.split !== undefined) turned = split(turned, switches.split);
  return turned;
}

/** The same steps after a silence. */
function* later(steps: Steps, ms: number): Generator<Step> {
  yield { do: "wait", ms };
  yield* steps;
}

function* emptyDeltas(steps: Steps, { dialect }: FaultContext): Generator<Step> {
  const nulls = dialect.name === "python" ? { logprobs: null, finish_reason: null } : {};
  for (const step of steps) {
    if (isFrame(step, "delta")) {
      yield withChoice(step, (choice) => {
        const rest = omit(choice, "logprobs", "finish_reason");
        const chat = "delta" in rest && dialect.name === "rust" ? { ...rest, delta: {} } : carrying(rest, "");
        return { ...chat, ...nulls };
      });
    }
    yield step;
  }
}

function* errorFirst(steps: Steps, context: FaultContext, status: number): Generator<Step> {
  for (const step of steps) {
    if (step.do === "frame") return yield* failing(context, status);
    if (step.do === "reply") return yield failingWhole(context, status);
    yield step;
  }
}

function* gated(steps: Steps, name: string): Generator<Step> {
  let passed = false;
  for (const step of steps) {
    if (!passed && step.do === "reply") yield { do: "gate", name };
    yield step;
    if (!passed && step.do === "frame" && step.kind === "delta") {
      passed = true;
      yield { do: "gate", name };
    }
  }
}

/** Comments in every silence after the head. */
function* kept(steps: Steps, every: number): Generator<Step> {
  let streaming = false;
  for (const step of steps) {
    if (step.do === "head") streaming = true;
    if (!streaming) yield step;
    else if (step.do === "wait") {
      let left = step.ms;
      for (; left > every; left -= every) yield* [{ do: "wait", ms: every }, { do: "comment" }] as const;
      yield { do: "wait", ms: left };
    } else if (step.do === "gate" || step.do === "hold") yield { ...step, comments: step.comments ?? every };
    else yield step;
  }
}

/** Every write cut into packets of `size` bytes. */
function* split(steps: Steps, size: number): Generator<Step> {
  for (const step of steps) {
    const text = step.do === "write" ? step.bytes : textOf(step);
    if (text === undefined) {
      yield step;
      continue;
    }
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    for (let at = 0; at < bytes.length; at += size) {
      yield {
        do: "write",
        bytes: bytes.subarray(at, at + size),
        frames: at === 0 ? (step.do === "write" ? (step.frames ?? 0) : 1) : 0,
      };
      yield { do: "flush" };
    }
  }
}
