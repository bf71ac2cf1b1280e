/** How long a model takes, in milliseconds. */
export interface Pace {
  /** From the head to the first token. */
  think(): number;
  /** Before the given token (1 is the second one): uneven, like a model, and the same in every run. */
  token(number: number): number;
}

/** `perToken` is the mean in milliseconds; 0 never waits. The think is eight tokens long, unless `prefill` is given. */
export function createPace(perToken: number, prefill?: number): Pace {
  return {
    think: () => prefill ?? perToken * 8,
    token: (number) => Math.round(perToken * (0.6 + ((number * 7919) % 17) / 20)),
  };
}
