/** What each contender gave in each round, and the rows that come of it. */
import { judge, type Row, type RowSpec } from "./row.ts";
import { spreadOf } from "./spread.ts";

const SLUICE = "sluice";
const DIRECT = "direct";

export class Book {
  /** By row, then by contender: one value a round. */
  readonly #values = new Map<string, Map<string, number[]>>();
  readonly #broken = new Map<string, Set<string>>();
  readonly problems: string[] = [];

  note(row: string, contender: string, value: number): void {
    const rows = this.#values.get(row) ?? new Map<string, number[]>();
    this.#values.set(row, rows);
    const values = rows.get(contender) ?? [];
    rows.set(contender, values);
    values.push(value);
  }

  /** What broke is not measured: neither what it gave before nor what it would give again. */
  breaks(row: string, contender: string): void {
    this.#broken.set(row, (this.#broken.get(row) ?? new Set()).add(contender));
  }

  isBroken(row: string, contender: string): boolean {
    return this.#broken.get(row)?.has(contender) ?? false;
  }

  rowFor(spec: RowSpec): Row {
    const { name, unit, added = false, over, goal } = spec;
    const known = [...(this.#values.get(name)?.keys() ?? [])];
    const failed = this.#broken.get(name) ?? new Set();
    // Nothing can be added to a direct way that was not measured.
    const isLost = added && (failed.has(DIRECT) || !known.includes(DIRECT));
    const broken = isLost ? [...new Set([...known, ...failed])] : [...failed];
    const measured = known.filter((contender) => !broken.includes(contender));
    const cells = Object.fromEntries([
      ...measured.map((contender) => [contender, spreadOf(this.#cell(spec, contender))] as const),
      ...broken.map((contender) => [contender, "broken"] as const),
    ]);
    const own = measured.includes(SLUICE) ? this.#cell(spec, SLUICE) : undefined;
    const base = over !== undefined && measured.includes(over) ? this.#cell(spec, over) : undefined;
    // Round by round: what disturbs the machine for a while disturbs both.
    const ratios = own && base && base.every((value) => value !== 0) ? quotients(own, base) : undefined;
    const ratio = ratios && over !== undefined ? { ...spreadOf(ratios), over } : undefined;
    const judged = goal?.of === "ratio" ? ratio?.median : own && spreadOf(own).median;
    return {
      name,
      unit,
      added,
      cells,
      ...(ratio && { ratio }),
      ...(goal && judged !== undefined && { goal: judge(goal, judged) }),
    };
  }

  #cell({ name, added }: RowSpec, contender: string): number[] {
    const values = this.#values.get(name)?.get(contender) ?? [];
    if (!added || contender === DIRECT) return values;
    const direct = this.#values.get(name)?.get(DIRECT) ?? [];
    return values.map((value, round) => value - (direct[round] ?? Number.NaN));
  }
}

function quotients(own: readonly number[], base: readonly number[]): number[] {
  return own.map((value, round) => value / (base[round] ?? Number.NaN));
}
