/** Time as a value that is passed in, so that tests own it. */
export interface Clock {
  /** Returns the present time in milliseconds since 1970. */
  now(): number;
  /** Runs `task` once after `ms` milliseconds and returns a function that calls it off. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
