/** What workerd keeps. A process of its own for each reading: what an earlier one left behind is not to be counted. */
import { setTimeout as sleep } from "node:timers/promises";
import { eventsOf, type Contender } from "../contenders/contender.ts";
import { startContender } from "../contenders/start.ts";
import { lengthOf, PLAIN } from "../frames/scenario.ts";
import { HAS_ACCOUNTING, readMemory } from "../process/accounting.ts";
import { newTag, streamOf } from "./post.ts";
import type { Bench, Task } from "./task.ts";

/** How long the last of many streams may take to be no more than a stream that waits. */
const SETTLE_MS = 500;
const WHO = ["native", "floor", "sluice"] as const;

export function memoryTasks(bench: Bench): Task[] {
  return [...(HAS_ACCOUNTING ? [idleTask(bench), longTask(bench)] : []), stalledTask(bench)];
}

function idleTask(bench: Bench): Task {
  const { idle } = bench.scale;
  const all = `memory with ${idle} idle streams`;
  const each = "memory of each idle stream";
  return {
    rows: [
      { name: all, unit: "MiB", over: "native", goal: { of: "ratio", atMost: 1.3 } },
      { name: each, unit: "KiB", over: "native" },
    ],
    contenders: WHO,
    rivals: "with a process",
    run: (contender) =>
      withFresh(bench, contender, async ({ pid, target }) => {
        const post = streamOf(PLAIN, { steps: 0, pace: 0, hush: "middle" });
        // One stream first: what the first request costs once is no idle stream's.
        const first = await bench.load.call("open", { target, posts: [post], when: 1 });
        const before = readMemory(pid);
        const hold = await bench.load.call("open", {
          target,
          posts: Array.from({ length: idle }, () => post),
          when: 1,
        });
        await sleep(SETTLE_MS);
        const after = readMemory(pid);
        await bench.load.call("leave", { hold: first, how: "RST" });
        await bench.load.call("leave", { hold, how: "RST" });
        return { [all]: after, [each]: ((after - before) * 1024) / idle };
      }),
  };
}

function longTask(bench: Bench): Task {
  const { events: asked, settled } = bench.scale.long;
  const name = `memory growth over ${asked.toLocaleString("en")} events`;
  return {
    rows: [{ name, unit: "MiB" }],
    contenders: WHO,
    rivals: "with a process",
    run: (contender) =>
      withFresh(bench, contender, async ({ pid, target }) => {
        const posts = [streamOf(PLAIN, { steps: lengthOf(PLAIN, asked).steps, pace: 0 })];
        const hold = await bench.load.call("open", { target, posts, when: settled });
        const before = readMemory(pid);
        const events = eventsOf(contender, PLAIN, asked);
        const flaw = await bench.load.call("finish", { hold, ...(events !== undefined && { events }) });
        if (flaw !== null) throw new Error(flaw);
        return { [name]: readMemory(pid) - before };
      }),
  };
}

function stalledTask(bench: Bench): Task {
  const name = "taken for a client that stopped reading";
  return {
    rows: [{ name, unit: "MiB", over: "native" }],
    contenders: WHO,
    rivals: "all",
    run: (contender) =>
      withFresh(bench, contender, async ({ target }) => {
        const tag = newTag();
        const posts = [streamOf(PLAIN, { steps: 10_000_000, pace: 0, tag })];
        const hold = await bench.load.call("open", { target, posts, when: "head", stopReading: true });
        const bytes = await bench.origin.call("whenFull", { tag });
        await bench.load.call("leave", { hold, how: "RST" });
        return { [name]: bytes / 2 ** 20 };
      }),
  };
}

async function withFresh<Result>(
  { home }: Bench,
  contender: Contender,
  measure: (fresh: Contender & { pid: number }) => Promise<Result>,
): Promise<Result> {
  const { name } = contender;
  const own = WHO.find((one) => one === name);
  if (!own) return measure({ pid: 0, ...contender });
  await using fresh = await startContender(own, home);
  return await measure(fresh);
}
