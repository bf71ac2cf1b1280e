import type { Ending } from "../stream/ending.ts";
import type { Gateway, Invocation } from "./gateway.ts";
import { writeLine } from "./log.ts";
import { makePoint } from "./metrics.ts";
import type { Record } from "./record.ts";

/** Says how a request ended to all who watch: a line in the log, and a data point where a dataset is bound. Never throws. */
export function report(
  record: Record,
  ending: Ending,
  { clock, log }: Pick<Gateway, "clock" | "log">,
  { metrics }: Pick<Invocation, "metrics">,
): void {
  const now = clock.now();
  log(writeLine(record, ending, now));
  try {
    metrics?.writeDataPoint(makePoint(record, ending, now));
  } catch (thrown) {
    // Counting must not cost an answer.
    const reason = thrown instanceof Error ? thrown.message : typeof thrown;
    log(JSON.stringify({ message: "metrics", "sluice.request.id": record.id, "exception.message": reason }));
  }
}
