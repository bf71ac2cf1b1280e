/** Durable Objects as a configuration declares them. A version before a change of them can never be gone back to. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns what the file at `config` declares for `environment`, in a form that can be compared. */
export async function durableState(config: string, environment: string): Promise<string> {
  // Loaded when it is needed, as it takes a second and most deploys never come here.
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const { migrations, exports } = readConfig({ config, env: environment }, { hideWarnings: true });
  return JSON.stringify({ migrations, exports });
}

/**
 * Returns what `wrangler.toml` declared for `environment` at `commit` of the repository at `root`; `undefined` when that
 * cannot be known, as in a clone without its history.
 */
export async function durableStateAt(root: string, commit: string, environment: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-deploy-"));
  try {
    const path = join(folder, "wrangler.toml");
    const stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "ignore"];
    writeFileSync(path, execFileSync("git", ["show", `${commit}:wrangler.toml`], { cwd: root, stdio }));
    return await durableState(path, environment);
  } catch {
    // Without the commit, or before it had this environment, nothing is known of its objects.
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
