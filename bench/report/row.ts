/** A row of the table: what it says, of whom, and what it should be. */
import type { Spread } from "./spread.ts";

export interface RowSpec {
  readonly name: string;
  readonly unit: string;
  /** Where it is the time over the direct way that counts: the direct way's own is taken off in each round. */
  readonly added?: true;
  /** The contender that Sluice is a multiple of. */
  readonly over?: string;
  readonly goal?: Goal;
}

/** Of the ratio, or of the value itself. */
export interface Goal {
  readonly of: "ratio" | "value";
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly added: boolean;
  /** By contender; one that broke has no spread. */
  readonly cells: Readonly<Record<string, Spread | "broken">>;
  readonly ratio?: Spread & { readonly over: string };
  readonly goal?: { readonly text: string; readonly met: boolean };
}

export function judge({ of, atMost, atLeast }: Goal, value: number): { text: string; met: boolean } {
  const sign = of === "ratio" ? "×" : "";
  if (atMost !== undefined) return { text: `≤ ${atMost}${sign}`, met: value <= atMost };
  if (atLeast !== undefined) return { text: `≥ ${atLeast}${sign}`, met: value >= atLeast };
  throw new Error("a goal without a limit");
}
