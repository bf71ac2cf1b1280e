/** What some rounds gave: the middle one, and how far the others were from it. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Throws where there is nothing to take the middle of. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: percentile(values, 50), min: Math.min(...values), max: Math.max(...values) };
}

/** Between two values the line between them is taken, so the median of two is their mean. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const place = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new Error("there is no percentile of nothing");
  return below + (above - below) * (place - Math.floor(place));
}
