/** A script of the repository, run as npm runs it. */
import { execFile } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

export interface Ran {
  readonly status: number;
  /** Both streams, in the order of their ends. */
  readonly output: string;
}

/** Runs `scripts/NAME` with `args`, and `env` beside the environment. Never throws: the status is part of the result. */
export function runScript(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, "scripts", name), ...args],
      { cwd: root, env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...env } },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ status, output: stdout + stderr });
      },
    );
  });
}
