import type { Dialect, Failure } from "./dialects/dialect.ts";
import type { GeneratingName, OperationName } from "./engine/operation.ts";
import { SCALE_OUT_OFF } from "./generate/scale-out.ts";
import type { RequestHead } from "./http/request.ts";
import type { Model } from "./model.ts";
import type { Relay } from "./relays/index.ts";
import { noRoute, refuse } from "./replies.ts";
import type { Step } from "./steps.ts";

/** What the model's server does not have: another dialect's route, one turned off, one for other models or faults. */
export function closedRoute(
  { name, switches, fault, voice }: Model,
  target: GeneratingName | Relay,
  dialect: Dialect,
  head: RequestHead,
): Step | undefined {
  const relay = typeof target === "string" ? undefined : target;
  const elsewhere = relay?.only !== undefined && relay.only !== dialect.name;
  const notPooling = relay?.pools === true && voice !== "none";
  // A faulty model is served on every route that its fault can spoil.
  if (fault === undefined && (elsewhere || notPooling)) return noRoute(dialect, head);
  if (relay === undefined && voice === "none") return refuse(dialect, notGenerating(name));
  if ((target === "generate" || relay?.scaleOut === true) && (switches.scale_out ?? "on") !== "on") {
    return switches.scale_out === "off" ? refuse(dialect, SCALE_OUT_OFF) : noRoute(dialect, head);
  }
  const operation: OperationName = typeof target === "string" ? target : "relay";
  if (fault === undefined || fault.in.includes(operation)) return undefined;
  const message = `The fault of \`${name}\` does not occur in this operation (only in: ${fault.in.join(", ")}).`;
  return refuse(dialect, { status: 400, message, param: "model" });
}

function notGenerating(name: string): Failure {
  return { status: 501, message: `The model \`${name}\` does not generate text.`, type: "NotImplementedError" };
}

/** The refusal of a model that nobody serves. */
export function unknownModel(dialect: Dialect, name: string | undefined): Failure {
  const known = dialect.name === "python" ? " Valid aliases: sim/chat, sim/say, tiny." : "";
  return { status: 404, message: `The model \`${name ?? ""}\` does not exist.${known}`, param: "model" };
}
