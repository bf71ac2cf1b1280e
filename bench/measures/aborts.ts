/** How long the origin goes on for a client that has left. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Orders } from "../frames/orders.ts";
import { PLAIN } from "../frames/scenario.ts";
import type { Farewell } from "../load/connection.ts";
import type { Opening } from "../load/held.ts";
import { percentile } from "../report/spread.ts";
import { newTag, streamOf, wholeOf } from "./post.ts";
import type { Bench, Task } from "./task.ts";

/** How long a stream takes to be as silent as it will be. */
const SETTLE_MS = 200;
/** An origin that has heard nothing by then will not hear of it. */
const HEARD_WITHIN_MS = 15_000;

interface State {
  readonly name: string;
  readonly orders: Omit<Orders, "scenario" | "tag">;
  readonly when: Opening["when"];
  readonly whole?: true;
  readonly by: readonly Farewell[];
}

const STATES: readonly State[] = [
  { name: "before the head", orders: { steps: 0, pace: 0, hush: "head" }, when: "sent", by: ["RST", "FIN"] },
  { name: "before the first event", orders: { steps: 0, pace: 0, hush: "frame" }, when: "sent", by: ["RST", "FIN"] },
  { name: "while events flow", orders: { steps: 100_000, pace: 20 }, when: 1, by: ["RST", "FIN"] },
  { name: "in a silent stream", orders: { steps: 0, pace: 0, hush: "middle" }, when: 1, by: ["RST", "FIN"] },
  // While a whole answer is waited for, the runtime cannot see a FIN.
  { name: "of a whole answer", orders: { steps: 0, pace: 0, hush: "head" }, when: "sent", whole: true, by: ["RST"] },
];

export function abortTasks(bench: Bench): Task[] {
  return STATES.flatMap((state) => state.by.map((how) => abortTask(bench, state, how)));
}

function abortTask({ load, origin, scale }: Bench, state: State, how: Farewell): Task {
  const p50 = `abort ${state.name}, ${how}, p50`;
  const max = `abort ${state.name}, ${how}, max`;
  return {
    rows: [
      { name: p50, unit: "ms" },
      { name: max, unit: "ms" },
    ],
    contenders: ["sluice"],
    rivals: "all",
    scenario: PLAIN,
    async run({ target }) {
      const tags = Array.from({ length: scale.aborts }, newTag);
      const make = state.whole ? wholeOf : streamOf;
      const posts = tags.map((tag) => make(PLAIN, { ...state.orders, tag }));
      const hold = await load.call("open", { target, posts, when: state.when });
      await origin.call("when", { far: "arrivedAt", tags, withinMs: HEARD_WITHIN_MS });
      await sleep(SETTLE_MS);
      const left = await load.call("leave", { hold, how });
      const visits = await origin.call("when", { far: "closedAt", tags, withinMs: HEARD_WITHIN_MS });
      const late = visits.map((visit, at) => {
        const leftAt = left[at] ?? Number.NaN;
        if (!visit) throw new Error(`the origin was not asked within ${HEARD_WITHIN_MS} ms`);
        if (visit.closedAt === undefined) throw new Error(`not heard of within ${HEARD_WITHIN_MS} ms`);
        return visit.closedAt - leftAt;
      });
      return { [p50]: percentile(late, 50), [max]: Math.max(...late) };
    },
  };
}
