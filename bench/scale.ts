/** How much is measured. */
export interface Scale {
  readonly rounds: number;
  /** Streams of an unmeasured run that lets the just-in-time compiler settle, per scenario. */
  readonly warmUp: number;
  readonly paced: { readonly streams: number; readonly events: number; readonly pace: number };
  readonly unpaced: { readonly clients: number; readonly requests: number; readonly events: number };
  /** Streams one after the other: of a lone client, and of each of fifty. */
  readonly first: { readonly alone: number; readonly each: number };
  readonly aborts: number;
  readonly idle: number;
  /** Events of the long stream, and after how many its growth begins to count. */
  readonly long: { readonly events: number; readonly settled: number };
  readonly whole: { readonly small: number; readonly large: number };
}

/** About twenty minutes. */
export const FULL: Scale = {
  rounds: 5,
  warmUp: 48,
  paced: { streams: 50, events: 200, pace: 20 },
  unpaced: { clients: 16, requests: 5, events: 200 },
  first: { alone: 100, each: 4 },
  aborts: 10,
  idle: 500,
  long: { events: 100_000, settled: 20_000 },
  whole: { small: 200, large: 30 },
};

/** About a minute: every kind of row, none of them worth reading. */
export const QUICK: Scale = {
  rounds: 1,
  warmUp: 2,
  paced: { streams: 10, events: 20, pace: 20 },
  unpaced: { clients: 4, requests: 2, events: 100 },
  first: { alone: 10, each: 1 },
  aborts: 2,
  idle: 50,
  long: { events: 5_000, settled: 1_000 },
  whole: { small: 10, large: 3 },
};
