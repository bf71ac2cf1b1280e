/** Processes as /proc shows them: what a test has started, directly or not, and whether any of it is left. */
import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  /** With the pid, what makes it this process and not a later one of the same number. */
  readonly startedAt: string;
  readonly name: string;
}

/** Returns `root` and everything that descends from it. */
export function tree(root: number): Process[] {
  const all = list();
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

/** Returns those of `processes` that still run. The dead whose parent has not asked after them are dead. */
export function living(processes: readonly Process[]): Process[] {
  return processes.filter(({ pid, startedAt }) => {
    const now = read(String(pid));
    return now?.startedAt === startedAt && now.state !== "Z" && now.state !== "X";
  });
}

function list(): Process[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(read).filter((found) => found !== undefined);
}

function read(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const bracket = stat.lastIndexOf(")");
    const [state = "", parent = ""] = stat.slice(bracket + 2).split(" ");
    const startedAt = stat.slice(bracket + 2).split(" ")[19] ?? "";
    return {
      pid: Number(pid),
      parent: Number(parent),
      state,
      startedAt,
      name: stat.slice(stat.indexOf("(") + 1, bracket),
    };
  } catch {
    // Gone between the listing and the look.
    return undefined;
  }
}
