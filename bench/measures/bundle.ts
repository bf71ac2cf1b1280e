/** What the Worker weighs, and what it costs to start it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Bench, Task } from "./task.ts";

const root = join(import.meta.dirname, "../..");

export function bundleTask({ home }: Bench): Task {
  const name = "bundle, minified and gzipped";
  return {
    rows: [{ name, unit: "KiB", goal: { of: "value", atMost: 60 } }],
    contenders: ["sluice"],
    rivals: "none",
    once: true,
    run: () => Promise.resolve({ [name]: gzipSync(home.bundle).length / 1024 }),
  };
}

/** As `wrangler check startup` tells it: the time in which its profile is not idle. `folder` takes the profile. */
export function startUpTask(folder: string): Task {
  const name = "start-up CPU";
  return {
    rows: [{ name, unit: "ms", goal: { of: "value", atMost: 25 } }],
    contenders: ["sluice"],
    rivals: "none",
    async run() {
      const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
      const profile = join(folder, "startup.cpuprofile");
      const args = [wrangler, "check", "startup", "--args=--minify", "--outfile", profile];
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: root,
        env: {
          ...process.env,
          WRANGLER_SEND_METRICS: "false",
          WRANGLER_WRITE_LOGS: "false",
          CI: "true",
          NO_COLOR: "1",
        },
      });
      const active = /Active: ([\d.]+) ms/.exec(stdout)?.[1];
      if (active === undefined) throw new Error(`wrangler check startup did not say how long: ${stdout}`);
      return { [name]: Number(active) };
    },
  };
}
