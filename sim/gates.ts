/** Gates hold an answer back until a test lets it go on, so that a test can prove the order of events. */
export interface Gates {
  /** Resolves when the gate is opened, at once if it was opened before with nobody waiting. Rejects on abort. */
  pass(name: string, signal: AbortSignal): Promise<void>;
  /** Lets everybody go on who waits at the gate, or the next one to come. Returns how many waited. */
  open(name: string): number;
}

export function createGates(): Gates {
  const waiting = new Map<string, Set<() => void>>();
  const openedAhead = new Set<string>();
  return {
    pass(name, signal) {
      if (openedAhead.delete(name)) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const queue = waiting.get(name) ?? new Set<() => void>();
        waiting.set(name, queue);
        const leave = (): void => {
          queue.delete(go);
          if (queue.size === 0 && waiting.get(name) === queue) waiting.delete(name);
          signal.removeEventListener("abort", abandon);
        };
        const go = (): void => {
          leave();
          resolve();
        };
        const abandon = (): void => {
          leave();
          reject(new Error("the client left at the gate"));
        };
        queue.add(go);
        signal.addEventListener("abort", abandon, { once: true });
        if (signal.aborted) abandon();
      });
    },
    open(name) {
      const queue = [...(waiting.get(name) ?? [])];
      if (queue.length === 0) openedAhead.add(name);
      for (const go of queue) go();
      return queue.length;
    },
  };
}
