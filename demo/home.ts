/** The tour's own gateway and origin, where no address is given. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bundleWorker } from "../scripts/worker/bundle.ts";
import { runWorker } from "../scripts/worker/run.ts";
import { startSim, type Sim } from "../sim/server.ts";

export interface Home {
  /** Where the gateway is, without a trailing slash. */
  readonly url: string;
  readonly sim: Sim;
}

/** Starts both; `started` ends them, and `signal` gives up what is not up yet. */
export async function startHome(started: AsyncDisposableStack, signal: AbortSignal): Promise<Home> {
  const sim = await startSim();
  started.defer(() => sim.close());
  const folder = join(import.meta.dirname, "../dist/demo");
  await bundleWorker(folder, signal);
  const script = await readFile(join(folder, "index.js"), "utf8");
  const settings = { ORIGINS: JSON.stringify([{ url: sim.url }]), ALLOW_ANONYMOUS: "true" };
  signal.throwIfAborted();
  // The Worker's log is not part of the tour: what it logs, the stops see.
  const worker = await runWorker({ script, settings, onLog: () => undefined });
  started.defer(() => worker.close());
  return { url: worker.url.origin, sim };
}
