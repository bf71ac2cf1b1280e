/** CPU and pace of streams under load. */
import { eventsOf, translates, type Contender } from "../contenders/contender.ts";
import { toModel } from "../frames/orders.ts";
import { lengthOf, PLAIN, SCENARIOS, type Scenario } from "../frames/scenario.ts";
import type { Timed } from "../load/timed.ts";
import { cpuBetween, HAS_ACCOUNTING, readCpu } from "../process/accounting.ts";
import type { RowSpec } from "../report/row.ts";
import { percentile } from "../report/spread.ts";
import type { Scale } from "../scale.ts";
import { streamOf } from "./post.ts";
import { ALL, PAIR, type Bench, type Task } from "./task.ts";

/** Clients that start a little after one another, so that their events do not come all at once. */
const STAGGER_MS = 0.4;
const FAST = { of: "ratio", atLeast: 0.8 } as const;
const WARM = { clients: 16, events: 200, pace: 0 };

interface Shape {
  readonly clients: number;
  readonly requests: number;
  readonly events: number;
  readonly pace: number;
}

/** Many streams at the speed of a model. */
export function pacedTasks(bench: Bench): Task[] {
  const { streams, events, pace } = bench.scale.paced;
  return SCENARIOS.map((scenario) => {
    const cpu = `CPU per event, ${streams} streams: ${scenario.name}`;
    const gap = `gap between events, ${streams} streams, p99`;
    const goal = { of: "ratio", atMost: scenario.goal } as const;
    const rows: RowSpec[] = [{ name: cpu, unit: "µs", over: "floor", goal }];
    if (scenario === PLAIN) rows.push({ name: gap, unit: "ms", added: true });
    return {
      rows: rows.filter(({ name }) => HAS_ACCOUNTING || name !== cpu),
      contenders: scenario === PLAIN ? ALL : PAIR,
      rivals: "all",
      scenario,
      async run(contender) {
        const done = await run(bench, contender, scenario, { clients: streams, requests: 1, events, pace });
        return { [cpu]: done.cpuPerEvent, [gap]: percentile(done.gaps, 99) };
      },
    };
  });
}

/** A few clients and events as fast as they can come. */
export function unpacedTasks(bench: Bench): Task[] {
  return SCENARIOS.map((scenario) => {
    const speed = `streams per second, unpaced: ${scenario.name}`;
    const cpu = `CPU per event, unpaced: ${scenario.name}`;
    const rows: RowSpec[] = [
      // Who may take half as much CPU again cannot be nearly as fast where all share the cores.
      { name: speed, unit: "1/s", over: "floor", ...(!scenario.inMessages && { goal: FAST }) },
      { name: cpu, unit: "µs", over: "floor" },
    ];
    return {
      rows: rows.filter(({ name }) => HAS_ACCOUNTING || name !== cpu),
      contenders: scenario === PLAIN ? ALL : PAIR,
      rivals: "all",
      scenario,
      async run(contender) {
        const done = await run(bench, contender, scenario, { ...bench.scale.unpaced, pace: 0 });
        return { [speed]: (done.answers * 1_000) / done.tookMs, [cpu]: done.cpuPerEvent };
      },
    };
  });
}

/** Lets a contender see a scenario often enough for the compiler to know it. */
export async function warmUp(bench: Bench, contender: Contender, scenario: Scenario): Promise<void> {
  const requests = Math.ceil(bench.scale.warmUp / WARM.clients);
  await run(bench, contender, scenario, { ...WARM, requests });
}

/** The models that the origin lists: a gateway may look a model up before it sends anything there. */
export function modelsOf({ paced, unpaced }: Scale): string[] {
  const shapes = [paced, { ...unpaced, pace: 0 }, WARM];
  return SCENARIOS.flatMap((scenario) =>
    shapes.map(({ events, pace }) =>
      toModel({ scenario: scenario.name, steps: lengthOf(scenario, events).steps, pace }),
    ),
  );
}

/** Events are counted as the origin sends them, so that nobody is cheaper for joining or splitting them. */
async function run(
  { load }: Bench,
  contender: Contender,
  scenario: Scenario,
  { clients, requests, events: asked, pace }: Shape,
): Promise<Timed & { cpuPerEvent: number | undefined }> {
  const { steps, events: sent } = lengthOf(scenario, asked);
  const { pid, target } = contender;
  const before = pid !== undefined && HAS_ACCOUNTING ? readCpu(pid) : undefined;
  const events = eventsOf(contender, scenario, asked);
  const timed = await load.call("runLoad", {
    target,
    post: streamOf(scenario, { steps, pace }, translates(contender)),
    clients,
    requests,
    stagger: STAGGER_MS,
    gaps: pace > 0,
    ...(events !== undefined && { events }),
  });
  const after = before && pid !== undefined ? readCpu(pid) : undefined;
  if (timed.flaw !== undefined) throw new Error(timed.flaw);
  const cpuMs = before && after ? cpuBetween(before, after) : undefined;
  return { ...timed, cpuPerEvent: cpuMs === undefined ? undefined : (cpuMs * 1_000) / (sent * timed.answers) };
}
