/** Our own contenders: the Worker as it is deployed, and three that say what its cost is to be measured against. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Service } from "./config.ts";
import type { Contender } from "./contender.ts";
import { startWorkerd } from "./workerd.ts";

export const BASELINES = ["native", "floor", "transform"] as const;
export type OwnName = "sluice" | (typeof BASELINES)[number];

export interface Home {
  /** The text of the Worker's bundle. */
  readonly bundle: string;
  readonly originPort: number;
}

export type Started = Contender & AsyncDisposable & { readonly pid: number };

/** Starts it in a process of its own. */
export async function startContender(name: OwnName, home: Home): Promise<Started> {
  const workerd = await startWorkerd(name === "sluice" ? sluice(home) : await baseline(name, home));
  return {
    name,
    kind: name === "sluice" ? "sluice" : "baseline",
    target: { host: "127.0.0.1", port: workerd.port, prefix: "" },
    pid: workerd.pid,
    [Symbol.asyncDispose]: () => workerd[Symbol.asyncDispose](),
  };
}

function sluice({ bundle, originPort }: Home): Service {
  const origins = JSON.stringify([{ url: `http://127.0.0.1:${originPort}` }]);
  return { modules: { "index.js": bundle }, bindings: { ALLOW_ANONYMOUS: "true", ORIGINS: origins } };
}

async function baseline(name: string, { originPort }: Home): Promise<Service> {
  const [worker, ask] = await Promise.all([readWorker(`${name}.js`), readWorker("ask.js")]);
  return {
    modules: { [`${name}.js`]: worker, "ask.js": ask },
    bindings: { ORIGIN: `http://127.0.0.1:${originPort}` },
  };
}

function readWorker(file: string): Promise<string> {
  return readFile(join(import.meta.dirname, "../workers", file), "utf8");
}
