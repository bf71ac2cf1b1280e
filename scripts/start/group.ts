/** Process groups: what one process has started, all of it, by the id of the first. */
import { readdirSync, readFileSync } from "node:fs";

/** Ends the group by force. Returns whether there was anything left to end. */
export function killGroup(group: number): boolean {
  try {
    return process.kill(-group, "SIGKILL") && hasLiving(group);
  } catch {
    return false;
  }
}

/** A signal reaches the dead too until their parent has asked after them, which some container's first process never does. */
function hasLiving(group: number): boolean {
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && isLivingIn(group, pid));
}

function isLivingIn(group: number, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold spaces and brackets itself.
    const [state, , owner] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(owner) === group && state !== "Z" && state !== "X";
  } catch {
    // Gone between the listing and the look.
    return false;
  }
}
