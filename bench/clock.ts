/** Milliseconds of the machine's one monotonic clock: every process of this machine reads the same. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
