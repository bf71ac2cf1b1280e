import type { Answer, Dialect } from "../dialects/dialect.ts";
import { usageWanted } from "../dialects/usage.ts";
import { objectAt, stringAt, type JsonObject } from "../json.ts";
import type { Model } from "../model.ts";
import type { Header, Step, Steps } from "../steps.ts";
import type { Refusal } from "../rules/rule.ts";
import { createPace, type Pace } from "../text/pace.ts";
import { cutCalls } from "./call-shape.ts";
import { grouped, interleaved, joined, outputsOf, type Output } from "./outputs.ts";
import type { Plan } from "./plan.ts";

export interface ChatOptions {
  dialect: Dialect;
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

/** The steps of a chat answer, streamed or whole, as a healthy server takes them. */
export function chatSteps(options: ChatOptions): Steps {
  const { dialect, model, plan } = options;
  const answer: Answer = {
    id: dialect.id(options.requestId ?? stringAt(plan.body, "request_id")),
    created: Math.floor(Date.now() / 1000),
    model: model.name,
    plan,
    switches: model.switches,
    usage: usageWanted(objectAt(plan.body, "stream_options"), model.switches.usage),
  };
  const delay = objectAt(plan.body, "vllm_xargs")?.["delay_ms"];
  const perToken = model.switches.pace_ms ?? options.pace;
  const pace =
    typeof delay === "number" && model.voice === "script"
      ? createPace(delay, delay)
      : createPace(perToken, model.switches.prefill_ms);
  return plan.stream ? streamed(options, answer, pace) : whole(options, answer, pace);
}

function choiceOutputs({ dialect, plan, model }: ChatOptions, choice: number): Iterable<Output> {
  const outputs = cutCalls(outputsOf(plan, choice, dialect.parser(plan.parsers)), model.switches.tools ?? "token");
  const strided = plan.stride > 1 ? grouped(outputs, plan.stride) : outputs;
  return model.switches.finish === "merged" ? mergedFinish(strided) : strided;
}

/** The end mark's output joined to the one before it, so that the last text rides on the finish. */
function* mergedFinish(outputs: Iterable<Output>): Generator<Output> {
  let before: Output | undefined;
  for (const output of outputs) {
    if (before === undefined) before = output;
    else if (output.finish !== null && output.text === "") before = joined(before, output);
    else {
      yield before;
      before = output;
    }
  }
  if (before !== undefined) yield before;
}

function* streamed(options: ChatOptions, answer: Answer, pace: Pace): Generator<Step> {
  const { dialect, plan } = options;
  yield { do: "head", status: 200, headers: [...dialect.streamHeaders, ...options.headers], framing: "chunked" };
  yield { do: "wait", ms: pace.think() };
  const dies: JsonObject = dialect.error(dialect.failure("engine-dead"));
  if (plan.diesAt === 0) return yield* failed(dies);
  const { refusal } = options;
  if (refusal?.when === "late") return yield* failed(dialect.error(refusal));
  for (const choice of plan.choices.keys()) yield dialect.role(answer, choice);
  if (refusal !== undefined) return yield* failed(dialect.error(refusal));
  const last = new Map<number, Output>();
  let number = 0;
  for (const output of interleaved([...plan.choices.keys()].map((choice) => choiceOutputs(options, choice)))) {
    if (output.choice === 0 && number > 0) yield { do: "wait", ms: pace.token(number) };
    if (output.choice === 0) number += 1;
    if (plan.diesAt !== undefined && output.completion > plan.diesAt) return yield* failed(dies);
    if (secondCall(options, output)) return yield* failed(dialect.error(dialect.failure("internal")));
    yield* dialect.frames(answer, output);
    last.set(output.choice, output);
    if (plan.misfit && dialect.name === "rust") return yield* failed(dialect.error(dialect.failure("internal")));
  }
  if (answer.usage.last) yield dialect.usageFrame(answer, ...totals([...last.values()]));
  yield { do: "done" };
  yield { do: "end" };
}

/** Recorded: Python fails at a second call when parallel calls were forbidden. */
function secondCall({ dialect, plan }: ChatOptions, output: Output): boolean {
  return (
    dialect.name === "python" &&
    plan.parsers.onlyFirstCall &&
    output.parts.some((part) => part.kind === "call" && part.index > 0)
  );
}

function* failed(error: JsonObject): Generator<Step> {
  yield { do: "frame", kind: "error", choice: -1, chunk: error };
  yield { do: "done" };
  yield { do: "end" };
}

function totals(last: readonly Output[]): [completion: number, reasoning: number] {
  const sum = (of: (output: Output) => number): number => last.reduce((all, output) => all + of(output), 0);
  return [sum((output) => output.completion), sum((output) => output.reasoning)];
}

function* whole(options: ChatOptions, answer: Answer, pace: Pace): Generator<Step> {
  const { dialect, plan } = options;
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
  yield { do: "reply", status: 200, headers, body: dialect.whole(answer, choices) };
}
