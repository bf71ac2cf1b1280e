import type { OperationName } from "../engine/operation.ts";
import type { Plan } from "../engine/plan.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { DialectName } from "../model.ts";
import type { Step, Steps } from "../steps.ts";
import type { Switches } from "../switches.ts";

/** What a fault may know of the request it spoils. */
export interface FaultContext {
  operation: OperationName;
  /** Where the request went. */
  path: string;
  stream: boolean;
  dialect: Dialect;
  switches: Switches;
  /** True for every other request with this model and body, beginning with the first. */
  first(): boolean;
}

export interface Fault {
  /** What the origin does, in a sentence. */
  says: string;
  /** Which answers it spoils; the other kind is then answered as `sim/chat` does. */
  spoils: "both" | "stream" | "whole";
  /** The operations in which it occurs, where its family's do not say it. */
  in?: readonly OperationName[];
  /** The dialect whatever the name's ending says. */
  dialect?: DialectName;
  /** Switches that are on unless the model's name says otherwise. */
  switches?: Switches;
  /** Changes what the model says before it is put into frames. */
  plan?(plan: Plan, context: FaultContext): Plan;
  /** The steps of the spoilt answer. */
  change?(steps: Steps, context: FaultContext): Iterable<Step>;
}

export type FaultTable = Readonly<Record<string, Fault>>;

/** A fault of which it is known where it occurs. */
export type PlacedFault = Fault & Required<Pick<Fault, "in">>;

/** A fault that answers in its own way, whatever was asked. */
export function instead(says: string, answer: (context: FaultContext) => Iterable<Step>): Fault {
  return { says, spoils: "both", change: (_, context) => answer(context) };
}

/** A fault that maps the steps of a stream. */
export function inStream(says: string, change: (steps: Steps, context: FaultContext) => Iterable<Step>): Fault {
  return { says, spoils: "stream", change };
}
