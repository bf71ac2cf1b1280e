/** `wrangler dev` as a child that can be waited for, and ended with everything it started. */
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { StartFailure } from "./failure.ts";
import { killGroup } from "./group.ts";
import { relay, type Relay } from "./relay.ts";

const TERM_GRACE_MS = 2_500;
const GONE_WITHIN_MS = 1_000;

export interface WranglerOptions {
  /** The folder of `wrangler.toml`. */
  readonly root: string;
  readonly host: string;
  readonly port: number;
  readonly envFile: string;
}

export class WranglerDev implements AsyncDisposable {
  /** Resolves when it listens on the port that was asked for; rejects when it listens elsewhere. */
  readonly listening: Promise<void>;
  /** Rejects when it ends by itself, with its last words; never resolves. */
  readonly failure: Promise<never>;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #relay: Relay;

  constructor({ root, host, port, envFile }: WranglerOptions) {
    const leash = pathToFileURL(join(import.meta.dirname, "leash.ts")).href;
    const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
    const where = ["--ip", host, "--port", String(port), "--inspector-ip", host, "--inspector-port", "0"];
    const quiet = ["--show-interactive-dev-session=false", "--env-file", envFile, "--env="];
    this.#child = spawn(process.execPath, ["--import", leash, wrangler, "dev", ...where, ...quiet], {
      cwd: root,
      env: { ...process.env, ...QUIET },
      stdio: ["pipe", "pipe", "pipe", "ipc"],
      // Of its own process group: a Ctrl-C in the terminal does not reach it, and one signal ends all that it started.
      detached: true,
    });
    this.#relay = relay(this.#child);
    const listening = Promise.withResolvers<void>();
    this.#child.on("message", (message) => {
      const actual = listeningPort(message);
      if (actual === port) listening.resolve();
      else if (actual !== undefined) listening.reject(new StartFailure(`Port ${port} is in use.`));
    });
    this.listening = listening.promise;
    const exited = Promise.withResolvers<void>();
    const failure = Promise.withResolvers<never>();
    this.#child.once("error", (error) => failure.reject(error));
    this.#child.once("exit", () => exited.resolve());
    this.#child.once("close", (code, signal) => {
      const how = signal === null ? `exit status ${code}` : signal;
      failure.reject(new StartFailure(`wrangler dev ended by itself (${how}).\n${this.#relay.last()}`.trimEnd()));
    });
    this.#exited = exited.promise;
    this.failure = failure.promise;
    for (const promise of [this.listening, this.failure]) promise.catch(() => undefined);
  }

  /** Lets the Worker's log through from now on. */
  showLog(): void {
    this.#relay.open();
  }

  /** Ends it: kindly first, so that it removes its temporary files, then by force, and whatever it has left behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#relay.close();
    this.#child.kill("SIGTERM");
    const timer = new AbortController();
    await Promise.race([this.#exited, sleep(TERM_GRACE_MS, undefined, timer)]);
    timer.abort();
    this.kill();
    const deadline = performance.now() + GONE_WITHIN_MS;
    while (this.kill() && performance.now() < deadline) await sleep(5);
  }

  /** Ends all of it by force. Returns whether there was anything left to end. */
  kill(): boolean {
    const { pid } = this.#child;
    return pid !== undefined && killGroup(pid);
  }
}

/** Nothing is reported, asked, updated or fetched; and no other file than ours is read for settings. */
const QUIET = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
  WRANGLER_LOG: "log",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  CLOUDFLARE_INCLUDE_PROCESS_ENV: "false",
  CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: "true",
};

/** Wrangler tells the process that started it where it listens. */
function listeningPort(message: unknown): number | undefined {
  const { event, port }: { event?: unknown; port?: unknown } = JSON.parse(String(message));
  return event === "DEV_SERVER_READY" && typeof port === "number" ? port : undefined;
}
