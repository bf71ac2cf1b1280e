/** Where it was measured: times of one machine say nothing about another's. */
import { arch, availableParallelism, cpus, platform, release } from "node:os";

export function machine(): { cpus: number; cpu: string; system: string; node: string; at: string } {
  return {
    cpus: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    system: `${platform()} ${release()} ${arch()}`,
    node: process.versions.node,
    at: new Date().toISOString(),
  };
}
