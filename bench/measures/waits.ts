/** Time to the first event of a stream, and to a whole answer. */
import { eventsOf, translates, type Contender } from "../contenders/contender.ts";
import { lengthOf, named, PLAIN, type Scenario } from "../frames/scenario.ts";
import type { Post } from "../load/target.ts";
import type { Load } from "../load/timed.ts";
import type { RowSpec } from "../report/row.ts";
import { percentile } from "../report/spread.ts";
import { foldedOf, streamOf, wholeOf } from "./post.ts";
import type { Bench, Task } from "./task.ts";

interface Streams {
  readonly clients: number;
  readonly events: number;
  readonly pace: number;
}

/** Nothing else runs, so the streams are as short as can be. */
const ALONE: Streams = { clients: 1, events: 8, pace: 2 };
/** Each client's next stream begins among the others', which are as fast as a model is: one begins each 20 ms. */
const AMONG_MANY: Streams = { clients: 50, events: 50, pace: 20 };

/** A token each, which make a message of about 1 KB. */
const FOLDED_EVENTS = 200;

export function firstEventTasks(bench: Bench): Task[] {
  const { alone, each } = bench.scale.first;
  const task = ({ clients, events: asked, pace }: Streams, requests: number, goal?: RowSpec["goal"]): Task =>
    waits(bench, `first event, ${clients === 1 ? "1 stream" : `${clients} streams`}`, PLAIN, goal, (contender) => {
      const events = eventsOf(contender, PLAIN, asked);
      return {
        target: contender.target,
        post: streamOf(PLAIN, { steps: lengthOf(PLAIN, asked).steps, pace }),
        clients,
        requests,
        stagger: (asked * pace) / clients,
        gaps: false,
        ...(events !== undefined && { events }),
      };
    });
  return [task(ALONE, alone), task(AMONG_MANY, each, { of: "value", atMost: 2 })];
}

export function wholeTasks(bench: Bench): Task[] {
  const { small, large } = bench.scale.whole;
  const task = (name: string, scenario: Scenario, requests: number, postFor: (contender: Contender) => Post): Task =>
    waits(bench, `whole answer, ${name}`, scenario, undefined, (contender) => ({
      target: contender.target,
      post: postFor(contender),
      clients: 1,
      requests,
      stagger: 0,
      gaps: false,
      whole: true,
    }));
  const folded = named("messages");
  const orders = { steps: lengthOf(folded, FOLDED_EVENTS).steps, pace: 0, bytes: 1_000 };
  return [
    task("1 KB", PLAIN, small, () => wholeOf(PLAIN, { bytes: 1_000 })),
    task("1 MB", PLAIN, large, () => wholeOf(PLAIN, { bytes: 1_000_000 })),
    task("1 KB of messages", folded, small, (contender) => foldedOf(folded, orders, translates(contender))),
  ];
}

function waits(
  { load }: Bench,
  name: string,
  scenario: Scenario,
  goal: RowSpec["goal"],
  loadFor: (contender: Contender) => Load,
): Task {
  const p50 = `${name}, p50`;
  const p99 = `${name}, p99`;
  return {
    rows: [
      { name: p50, unit: "ms", added: true },
      { name: p99, unit: "ms", added: true, ...(goal && { goal }) },
    ],
    contenders: ["direct", "native", "sluice"],
    rivals: "all",
    scenario,
    async run(contender) {
      const timed = await load.call("runLoad", loadFor(contender));
      if (timed.flaw !== undefined) throw new Error(timed.flaw);
      return { [p50]: percentile(timed.waits, 50), [p99]: percentile(timed.waits, 99) };
    },
  };
}
