import { spawn } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** What only wrangler needs, and no other program is given. */
const WITHHELD = { CLOUDFLARE_API_TOKEN: undefined, DEPLOY_SECRETS: undefined };

/** Runs a script of the repository, shown, and returns its exit status. */
export function runNode(script: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...WITHHELD },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
