import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");

/**
 * Bundles the Worker into `folder` as `wrangler deploy` would, with further `flags` of its own where they are given;
 * `index.js` is the whole of it. `signal` gives it up.
 */
export async function bundleWorker(folder: string, signal?: AbortSignal, flags: readonly string[] = []): Promise<void> {
  const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
  const args = ["deploy", "--dry-run", "--outdir", folder, "--env=", ...flags];
  await promisify(execFile)(process.execPath, [wrangler, ...args], {
    cwd: root,
    ...(signal && { signal }),
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_WRITE_LOGS: "false", CI: "true" },
  });
}
