import type { Plan } from "../chat/plan.ts";
import type { Model } from "../model.ts";
import type { Steps } from "../steps.ts";
import type { FaultContext } from "./fault.ts";
import { turnSwitches } from "./switched.ts";

/** The answer of a healthy server, changed by the model's fault and switches. */
export function spoil(
  healthy: (plan: Plan) => Steps,
  { model, context }: { model: Model; context: FaultContext },
): Steps {
  const { fault } = model;
  const spoils = fault !== undefined && (fault.spoils === "both" || (fault.spoils === "stream") === context.stream);
  const plan = spoils && fault.plan !== undefined ? fault.plan(context.plan, context) : context.plan;
  const steps = healthy(plan);
  const spoilt = spoils && fault.change !== undefined ? fault.change(steps, { ...context, plan }) : steps;
  return turnSwitches(spoilt, { ...context, plan });
}
