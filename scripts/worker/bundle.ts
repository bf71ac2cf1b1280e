import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");

/** Bundles the Worker into `folder` as `wrangler deploy` would; `index.js` is the whole of it. `signal` gives it up. */
export async function bundleWorker(folder: string, signal?: AbortSignal): Promise<void> {
  const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
  await promisify(execFile)(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", folder, "--env="], {
    cwd: root,
    ...(signal && { signal }),
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_WRITE_LOGS: "false", CI: "true" },
  });
}
