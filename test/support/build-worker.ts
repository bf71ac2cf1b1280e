import { bundleWorker } from "../../scripts/worker/bundle.ts";

/** Bundles the Worker as `wrangler deploy` would, once before the end-to-end tests. */
export async function setup(): Promise<void> {
  await bundleWorker("dist/worker");
}
