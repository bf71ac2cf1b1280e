/** Waits for whoever wants the program to end. */
import { constants } from "node:os";

/** npm passes a Ctrl-C on that the terminal has sent to all of us already: one key, two signals. */
const ECHO_MS = 500;
const ORPHAN_CHECK_MS = 500;

/**
 * Returns a promise that resolves at the first SIGINT, SIGTERM or SIGHUP, and when npm has started us and is gone. A
 * second signal calls `force` and exits at once.
 */
export function interruption(force: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let since: number | undefined;
  const end = (): void => {
    since ??= performance.now();
    resolve();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (since !== undefined && performance.now() - since > ECHO_MS) {
        force();
        process.exit(128 + constants.signals[signal]);
      }
      end();
    });
  }
  // Nobody reads what we print any more; and when npm was killed nobody tells us.
  process.stdout.on("error", end);
  if (process.env["npm_lifecycle_event"] !== undefined) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && end(), ORPHAN_CHECK_MS).unref();
  }
  return promise;
}
