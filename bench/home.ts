/** What a run needs: the origin, the load generator and a process for each contender. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../scripts/worker/bundle.ts";
import type { Contender } from "./contenders/contender.ts";
import { BASELINES, startContender } from "./contenders/start.ts";
import type { LoadCalls } from "./load/main.ts";
import { modelsOf } from "./measures/streams.ts";
import type { Bench } from "./measures/task.ts";
import type { Options } from "./options.ts";
import type { OriginCalls } from "./origin/main.ts";
import { startProcess } from "./process/calls.ts";
import { FULL, QUICK } from "./scale.ts";

/** Starts it all; `started` ends it. `folder` is there for files that nobody needs afterwards. */
export async function startBench(
  started: AsyncDisposableStack,
  options: Options,
): Promise<{ bench: Bench; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-bench-"));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  await bundleWorker(folder, undefined, ["--minify"]);
  const bundle = await readFile(join(folder, "index.js"), "utf8");

  const origin = started.use(startProcess<OriginCalls>(join(import.meta.dirname, "origin/main.ts")));
  const load = started.use(startProcess<LoadCalls>(join(import.meta.dirname, "load/main.ts")));
  const size = options.quick ? QUICK : FULL;
  const scale = { ...size, rounds: options.rounds ?? size.rounds };
  const originPort = await origin.call("listen", { port: options.originPort, models: modelsOf(scale) });
  const home = { bundle, originPort };

  const target = { host: "127.0.0.1", port: originPort, prefix: "" };
  const contenders: Contender[] = [{ name: "direct", kind: "direct", target }];
  for (const name of [...BASELINES, "sluice"] as const) contenders.push(started.use(await startContender(name, home)));
  contenders.push(...options.rivals.map((rival): Contender => ({ ...rival, kind: "rival" })));
  return { bench: { origin, load, home, contenders, scale }, folder };
}
