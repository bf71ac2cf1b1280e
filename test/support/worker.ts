import { readFileSync } from "node:fs";
import { runWorker } from "../../scripts/worker/run.ts";

export interface Worker extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, where real sockets reach workerd with nothing between. */
  readonly url: string;
  readonly port: number;
  /** The Worker's own log lines, oldest first. */
  readonly lines: readonly LogLine[];
  /** Returns the log line of the request with this id, once it is there. */
  line(id: string): Promise<LogLine>;
  close(): Promise<void>;
}

export type LogLine = Readonly<Record<string, unknown>>;

export interface Starting {
  /** The dataset to count in; none by default. */
  readonly dataset?: string;
  /** Services to bind, by their bindings' names: `HOST:PORT` of each. */
  readonly services?: Readonly<Record<string, string>>;
  /** Returns the script to run instead of the bundle. */
  readonly edit?: (bundle: string) => string;
}

/** Starts the bundled Worker in workerd with `settings` as its environment. */
export async function startWorker(
  settings: Readonly<Record<string, unknown>>,
  { dataset, services, edit = (bundle) => bundle }: Starting = {},
): Promise<Worker> {
  const lines: LogLine[] = [];
  const { url, close } = await runWorker({
    script: edit(readFileSync("dist/worker/index.js", "utf8")),
    settings: { ALLOW_ANONYMOUS: "true", ...settings },
    ...(dataset !== undefined && { dataset }),
    ...(services && { services }),
    onLog: (message) => {
      if (message.startsWith("{")) lines.push(JSON.parse(message));
      else if (process.env["VERBOSE"]) process.stderr.write(`${message}\n`);
    },
  });
  return {
    url: url.origin,
    port: Number(url.port),
    lines,
    line: (id) => eventually(() => lines.find((line) => line["sluice.request.id"] === id)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns what `look` finds, looking again until it finds something; throws after `withinMs`. */
export async function eventually<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
  withinMs = 5_000,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`Nothing after ${withinMs} ms: ${String(look)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
