/** A workerd process for one Worker alone, so that what the process costs is what the Worker costs. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ended } from "../process/calls.ts";
import { toConfig, type Service } from "./config.ts";

export interface Workerd extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
}

/** What it says before it dies is told, up to so many characters. */
const LAST_WORDS = 2_000;

/** The workerd that `wrangler dev` and the tests run. */
function binary(): string {
  const workerd: { default: string } = createRequire(import.meta.resolve("miniflare"))("workerd");
  return workerd.default;
}

export async function startWorkerd(service: Service): Promise<Workerd> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-bench-"));
  const files = { ...service.modules, "config.capnp": toConfig(service) };
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
  // What the Worker logs goes nowhere: the cost of logging is its own, that of a reader is not.
  const child = spawn(binary(), ["serve", "config.capnp", "config", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (bytes: Buffer) => (said = (said + bytes.toString()).slice(-LAST_WORDS)));
  // Whoever interrupts the bench does not wait for what is being measured.
  const drop = (): void => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", drop);
  const stop = async (): Promise<void> => {
    await ended(child, () => child.kill());
    await rm(folder, { recursive: true, force: true });
    process.off("exit", drop);
  };
  try {
    const port = await portFrom(child.stdio[3], child);
    return { pid: child.pid ?? 0, port, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw new Error(`workerd did not start: ${said}`, { cause: error });
  }
}

/** workerd reports each socket that it listens on as a line of JSON. */
async function portFrom(control: unknown, child: NodeJS.EventEmitter): Promise<number> {
  if (!isReadable(control)) throw new Error("no control pipe");
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let heard = "";
  control.on("data", (bytes: Buffer) => {
    heard += bytes.toString();
    const port = /"port":\s*(\d+)/.exec(heard)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  child.once("error", reject);
  child.once("exit", () => reject(new Error("it has ended")));
  return promise;
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === "object" && stream !== null && "on" in stream;
}
