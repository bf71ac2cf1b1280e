/**
 * What a process has cost, from the kernel's own books (Linux's /proc; elsewhere there is nothing to read).
 *
 * CPU is the time that each thread has run, in user and kernel mode, to the nanosecond (`schedstat`). A thread that has
 * ended takes its time with it; then, and where the kernel keeps no such books, the whole process's user and system time
 * is taken, which forgets nothing and counts in ticks of 10 ms.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface CpuReading {
  /** Nanoseconds by thread; empty where they are not kept. */
  readonly threads: ReadonlyMap<string, number>;
  readonly ticks: number;
}

const NS_PER_TICK = 10_000_000;

export const HAS_ACCOUNTING = existsSync("/proc/self/stat");

export function readCpu(pid: number): CpuReading {
  return { threads: readThreads(pid), ticks: readTicks(pid) };
}

/** Milliseconds of CPU from one reading to the next. */
export function cpuBetween(before: CpuReading, after: CpuReading): number {
  const kept = [...before.threads.keys()].every((thread) => after.threads.has(thread));
  if (!kept || before.threads.size === 0) return ((after.ticks - before.ticks) * NS_PER_TICK) / 1e6;
  return (total(after.threads) - total(before.threads)) / 1e6;
}

/** Resident memory in MiB. */
export function readMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no resident memory`);
  return Number(kilobytes) / 1024;
}

function readThreads(pid: number): Map<string, number> {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.flatMap((thread): [string, number][] => {
    try {
      const [ran = ""] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      return [[thread, Number(ran)]];
    } catch {
      // Ended between the listing and the look, or never kept.
      return [];
    }
  });
  return new Map(times);
}

function readTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold spaces and brackets itself. After it the user's and the system's time are the
  // twelfth and thirteenth field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

function total(threads: ReadonlyMap<string, number>): number {
  return [...threads.values()].reduce((sum, ran) => sum + ran, 0);
}
