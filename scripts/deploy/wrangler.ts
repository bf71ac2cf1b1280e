import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

export interface WranglerRun {
  readonly status: number;
  /** What it said on standard output, where that was not shown. */
  readonly said: string;
  /** What it said on standard error; shown too. */
  readonly complained: string;
  /** The JSON lines of `WRANGLER_OUTPUT_FILE_PATH`. */
  readonly results: string;
}

/** Runs wrangler, shown or `quiet` (its errors are always shown), and resolves when it has ended, however it did. */
export type Wrangler = (args: readonly string[], quiet?: "quiet") => Promise<WranglerRun>;

export const wrangler: Wrangler = async (args, quiet) => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-deploy-"));
  const results = join(folder, "results.jsonl");
  const script = join(root, "node_modules/wrangler/bin/wrangler.js");
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ["ignore", quiet === undefined ? "inherit" : "pipe", "pipe"],
    env: { ...process.env, WRANGLER_OUTPUT_FILE_PATH: results, WRANGLER_SEND_METRICS: "false" },
  });
  let said = "";
  let complained = "";
  child.stdout?.on("data", (data) => (said += String(data)));
  child.stderr?.on("data", (data) => {
    complained += String(data);
    if (quiet === undefined) process.stderr.write(data);
  });
  const status = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  const lines = readIfThere(results);
  rmSync(folder, { recursive: true });
  return { status, said, complained, results: lines };
};

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It ended before it had anything to report.
    return "";
  }
}
