/** `npm start` as a user runs it: its own process group, its output, its end. */
import { spawn, type ChildProcess } from "node:child_process";
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { SETTINGS } from "../../scripts/start/settings.ts";
import { living, tree, type Process } from "./processes.ts";

const WITHIN_MS = 15_000;

export class NpmStart {
  readonly pid: number;
  /** Resolves with the exit status, or the signal's name, once nobody can print any more. */
  readonly ended: Promise<number | string>;
  output = "";
  readonly #child: ChildProcess;
  #known: Process[] = [];

  /** `settings` is all that is set: the machine's own environment and `.dev.vars` are out of sight. */
  constructor(port: number, settings: Readonly<Record<string, string>> = {}) {
    const hidden = Object.fromEntries(SETTINGS.map((name) => [name, ""]));
    this.#child = spawn("npm", ["start"], {
      env: { ...process.env, npm_config_update_notifier: "false", ...hidden, ...settings, PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    if (this.#child.pid === undefined) throw new Error("npm did not start");
    this.pid = this.#child.pid;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (data) => {
        this.output += String(data);
        this.#child.emit("said");
      });
    }
    this.ended = once(this.#child, "close").then(([code, signal]: (number | string)[]) => code ?? signal ?? "");
  }

  /** Returns the first match in what it has printed, once there is one. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const given = AbortSignal.timeout(WITHIN_MS);
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      const said = new AbortController();
      const more = once(this.#child, "said", { signal: AbortSignal.any([given, said.signal]) }).then(() => true);
      const goesOn = await Promise.race([more, this.ended.then(() => false)]).finally(() => said.abort());
      more.catch(() => undefined);
      if (!goesOn && !pattern.test(this.output)) throw new Error(`It ended without ${pattern}:\n${this.output}`);
    }
  }

  /** Waits until it serves, and takes down which processes there are. */
  async ready(): Promise<void> {
    await this.says(/Ctrl-C ends all of it/);
    this.#known = tree(this.pid);
  }

  /** The processes that were there when it became ready, and the ones that are left of them. */
  get processes(): { readonly known: readonly Process[]; readonly left: readonly Process[] } {
    return { known: this.#known, left: living(this.#known) };
  }

  /** Ends what a failed test has left. */
  async kill(): Promise<void> {
    for (const { pid } of living([...this.#known, ...tree(this.pid)])) process.kill(pid, "SIGKILL");
    await this.ended;
  }
}

/** Returns a port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

/** Whether somebody listens on `port`. */
export async function isServed(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
