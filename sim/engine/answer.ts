import { errorFrame, type Dialect, type Failure } from "../dialects/dialect.ts";
import { usageWanted } from "../dialects/usage.ts";
import type { Answer, Wire } from "../dialects/wire.ts";
import { objectAt, stringAt } from "../json.ts";
import type { Model } from "../model.ts";
import type { Header, Step, Steps } from "../steps.ts";
import type { Refusal } from "../rules/rule.ts";
import { createPace, type Pace } from "../text/pace.ts";
import { cutCalls } from "./call-shape.ts";
import { finished, type FinishPlace } from "./finish.ts";
import { grouped, interleaved, outputsOf, type Output } from "./outputs.ts";
import type { Plan } from "./plan.ts";

export interface AnswerOptions {
  dialect: Dialect;
  /** How the dialect frames the operation. */
  wire: Wire;
  model: Model;
  plan: Plan;
  /** What the engine refuses when the head is already out. */
  refusal: Refusal | undefined;
  /** Mean milliseconds between tokens. */
  pace: number;
  requestId: string | undefined;
  /** Headers that the answer gets besides the dialect's own. */
  headers: readonly Header[];
}

/** The steps of an answer, streamed or whole, as a healthy server takes them. */
export function answerSteps(options: AnswerOptions): Steps {
  const { model, plan, wire } = options;
  const answer: Answer = {
    id: wire.id(options.requestId ?? stringAt(plan.body, "request_id")),
    created: Math.floor(Date.now() / 1000),
    model: model.name,
    plan,
    switches: model.switches,
    usage: usageWanted(objectAt(plan.body, "stream_options"), model.switches.usage),
  };
  const pace =
    plan.delay === undefined
      ? createPace(model.switches.pace_ms ?? options.pace, model.switches.prefill_ms)
      : createPace(plan.delay, plan.delay);
  return plan.stream ? streamed(options, answer, pace) : whole(options, answer, pace);
}

function choiceOutputs({ wire, dialect, plan, model }: AnswerOptions, choice: number): Iterable<Output> {
  const outputs = cutCalls(outputsOf(plan, choice, dialect.parser(plan.parsers)), model.switches.tools ?? "token");
  const strided = plan.stride > 1 ? grouped(outputs, plan.stride) : outputs;
  return finished(strided, finishPlace(model.switches.finish, wire.finish));
}

/** What the model's name says, else as the server does it. */
function finishPlace(asked: "merged" | "separate" | undefined, usual: FinishPlace): FinishPlace {
  return asked === "separate" ? "alone" : (asked ?? usual);
}

function* streamed(options: AnswerOptions, answer: Answer, pace: Pace): Generator<Step> {
  const { dialect, plan, wire } = options;
  yield { do: "head", status: 200, headers: [...dialect.streamHeaders, ...options.headers], framing: "chunked" };
  yield { do: "wait", ms: pace.think() };
  const dies = dialect.failure("engine-dead");
  if (plan.diesAt === 0) return yield* failed(dialect, dies);
  const { refusal } = options;
  if (refusal?.when === "late") return yield* failed(dialect, refusal);
  for (const choice of plan.choices.keys()) yield* wire.opening(answer, choice);
  if (refusal !== undefined) return yield* failed(dialect, refusal);
  const last = new Map<number, Output>();
  let number = 0;
  for (const output of interleaved([...plan.choices.keys()].map((choice) => choiceOutputs(options, choice)))) {
    const token = output.choice === 0 && output.tokens.length > 0;
    if (token && number > 0) yield { do: "wait", ms: pace.token(number) };
    if (token) number += 1;
    if (plan.diesAt !== undefined && output.completion > plan.diesAt) return yield* failed(dialect, dies);
    if (secondCall(options, output)) return yield* failed(dialect, dialect.failure("internal"));
    yield* wire.frames(answer, output);
    last.set(output.choice, output);
    if (plan.misfit && dialect.name === "rust") return yield* failed(dialect, dialect.failure("internal"));
  }
  if (answer.usage.last) yield wire.usageFrame(answer, ...totals([...last.values()]));
  yield { do: "done" };
  yield { do: "end" };
}

/** Recorded: Python fails at a second call when parallel calls were forbidden. */
function secondCall({ dialect, plan }: AnswerOptions, output: Output): boolean {
  return (
    dialect.name === "python" &&
    plan.parsers.onlyFirstCall &&
    output.parts.some((part) => part.kind === "call" && part.index > 0)
  );
}

function* failed(dialect: Dialect, failure: Failure): Generator<Step> {
  yield errorFrame(dialect, failure);
  yield { do: "done" };
  yield { do: "end" };
}

function totals(last: readonly Output[]): [completion: number, reasoning: number] {
  const sum = (of: (output: Output) => number): number => last.reduce((all, output) => all + of(output), 0);
  return [sum((output) => output.completion), sum((output) => output.reasoning)];
}

function* whole(options: AnswerOptions, answer: Answer, pace: Pace): Generator<Step> {
  const { dialect, plan, wire } = options;
  const choices = [...plan.choices.keys()].map((choice) => [...choiceOutputs(options, choice)]);
  const tokens = Math.max(0, ...choices.map((outputs) => outputs.at(-1)?.completion ?? 0));
  yield { do: "wait", ms: pace.think() };
  for (let number = 1; number < tokens; number += 1) yield { do: "wait", ms: pace.token(number) };
  const headers = [...dialect.jsonHeaders, ...options.headers];
  if (options.refusal !== undefined) {
    const { refusal } = options;
    return yield { do: "reply", status: refusal.status, headers, body: dialect.error(refusal) };
  }
  const dead = plan.diesAt !== undefined && plan.diesAt < tokens;
  if (dead || (plan.misfit && dialect.name === "rust")) {
    const failure = dialect.failure(dead ? "engine-dead" : "internal");
    const wrapped = dead && dialect.name === "rust" ? "failed to collect chat completion response: " : "";
    const body = dialect.error({ ...failure, message: wrapped + failure.message });
    yield { do: "reply", status: 500, headers, body };
    return;
  }
  yield { do: "reply", status: 200, headers, body: wire.whole(answer, choices) };
}
