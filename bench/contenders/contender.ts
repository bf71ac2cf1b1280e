/** Who is measured. */
import type { Scenario } from "../frames/scenario.ts";
import { lengthOf } from "../frames/scenario.ts";
import type { Target } from "../load/target.ts";

export interface Contender {
  readonly name: string;
  readonly kind: "direct" | "baseline" | "sluice" | "rival";
  readonly target: Target;
  /** The process whose CPU and memory are its own, where there is one on this machine. */
  readonly pid?: number;
}

/** Whether it may be asked in another protocol than the origin's. */
export function translates({ kind }: Contender): boolean {
  return kind === "sluice" || kind === "rival";
}

/** How many events a client of this contender gets of a stream; a rival may have its own ideas. */
export function eventsOf({ kind }: Contender, scenario: Scenario, asked: number): number | undefined {
  if (kind === "rival") return undefined;
  return lengthOf(scenario, asked).events + (kind === "sluice" ? (scenario.added ?? 0) : 0);
}
