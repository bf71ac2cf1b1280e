/** What is measured in each round, of each contender, one after the other. */
import type { Contender } from "../contenders/contender.ts";
import type { Home } from "../contenders/start.ts";
import type { Scenario } from "../frames/scenario.ts";
import type { LoadCalls } from "../load/main.ts";
import type { OriginCalls } from "../origin/main.ts";
import type { Callee } from "../process/calls.ts";
import type { RowSpec } from "../report/row.ts";
import type { Scale } from "../scale.ts";

export interface Bench {
  readonly origin: Callee<OriginCalls>;
  readonly load: Callee<LoadCalls>;
  readonly home: Home;
  readonly contenders: readonly Contender[];
  readonly scale: Scale;
}

export interface Task {
  readonly rows: readonly RowSpec[];
  /** Who takes part, by name. */
  readonly contenders: readonly string[];
  readonly rivals: "all" | "with a process" | "none";
  /** What the contenders have to be warm for. */
  readonly scenario?: Scenario;
  /** What one round gives never differs. */
  readonly once?: true;
  /** The rows' values by name, without those that cannot be told of this contender. Throws when it breaks. */
  readonly run: (contender: Contender) => Promise<Values>;
}

export type Values = Readonly<Record<string, number | undefined>>;

/** Every contender for the plainest scenario, and those that a ratio needs for the others. */
export const ALL = ["direct", "native", "floor", "transform", "sluice"];
export const PAIR = ["floor", "sluice"];

export function takesPart({ contenders, rivals }: Task, { name, kind, pid }: Contender): boolean {
  if (kind !== "rival") return contenders.includes(name);
  return rivals === "all" || (rivals === "with a process" && pid !== undefined);
}
