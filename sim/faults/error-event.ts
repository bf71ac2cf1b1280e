import { errorFrame, type Failure } from "../dialects/dialect.ts";
import type { Step } from "../steps.ts";
import type { FaultContext } from "./fault.ts";

/** The failure that a status stands for, as the dialect words it. */
function failureFor({ dialect }: FaultContext, status: number): Failure {
  if (status === 500) return dialect.failure("engine-dead");
  if (status !== 400) return { status, message: "The queue is full: too many requests are waiting." };
  return dialect.name === "python"
    ? {
        status,
        message:
          "Requested sample logprobs of 100, which is greater than max allowed: 20 (parameter=logprobs, value=100)",
        param: "logprobs",
      }
    : { status, message: "requested logprobs of 100, which is greater than max allowed: 20" };
}

/** The error event alone. */
export function errorEvent(context: FaultContext, status: number): Step {
  return errorFrame(context.dialect, failureFor(context, status));
}

/** What a server sends when it fails with its head already out. */
export function failing(context: FaultContext, status: number): Step[] {
  return [errorEvent(context, status), { do: "done" }, { do: "end" }];
}

/** The same failure as a whole answer. */
export function failingWhole(context: FaultContext, status: number): Step {
  const body = context.dialect.error(failureFor(context, status));
  return { do: "reply", status, headers: context.dialect.jsonHeaders, body };
}
