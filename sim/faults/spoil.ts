import type { Plan } from "../engine/plan.ts";
import type { Model } from "../model.ts";
import type { Steps } from "../steps.ts";
import type { FaultContext } from "./fault.ts";
import { turnSwitches } from "./switched.ts";

/**
 * The answer of a healthy server, changed by the model's fault and switches.
 *
 * @param healthy what the server answers; where tokens are said, it lets the fault change the plan first
 */
export function spoil(
  { fault }: Model,
  context: FaultContext,
  healthy: (changed: (plan: Plan) => Plan) => Steps,
): Steps {
  const spoils = fault !== undefined && (fault.spoils === "both" || (fault.spoils === "stream") === context.stream);
  const steps = healthy((plan) => (spoils ? (fault.plan?.(plan, context) ?? plan) : plan));
  return turnSwitches(spoils ? (fault.change?.(steps, context) ?? steps) : steps, context);
}
