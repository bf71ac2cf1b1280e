/** The bundled Worker in workerd with nothing between: `wrangler dev` has a hop that hides clients who leave silently. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

const root = join(import.meta.dirname, "../..");

export interface RunningWorker {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

export interface RunOptions {
  /** The text of the bundle. */
  readonly script: string;
  /** What JSON can say; a member that is `undefined` is not there. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The name of a dataset of Analytics Engine to bind as `METRICS`; its local double takes all and keeps nothing. */
  readonly dataset?: string;
  /** Services to bind, by their bindings' names: `HOST:PORT` of each. */
  readonly services?: Readonly<Record<string, string>>;
  /** Takes each line that the Worker or its runtime logs. */
  readonly onLog: (line: string) => void;
}

/** Starts the Worker on a free port of 127.0.0.1, with the compatibility date and flags of `wrangler.toml`. */
export async function runWorker({
  script,
  settings,
  dataset,
  services = {},
  onLog,
}: RunOptions): Promise<RunningWorker> {
  const toml = readFileSync(join(root, "wrangler.toml"), "utf8");
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: "sluice",
      modules: true,
      script,
      compatibilityDate: setting(toml, /^compatibility_date = "(.*)"$/m),
      compatibilityFlags: JSON.parse(setting(toml, /^compatibility_flags = (.*)$/m)),
      bindings: JSON.parse(JSON.stringify(settings)),
      ...(dataset !== undefined && { analyticsEngineDatasets: { METRICS: { dataset } } }),
      serviceBindings: Object.fromEntries(
        Object.entries(services).map(([name, address]) => [name, { external: { address, http: {} } }]),
      ),
      host: "127.0.0.1",
      port: 0,
      cf: false,
      handleStructuredLogs: ({ message }) => onLog(message),
    }),
  );
  return { url: await miniflare.ready, close: () => miniflare.dispose() };
}

function setting(toml: string, pattern: RegExp): string {
  const found = pattern.exec(toml)?.[1];
  if (found === undefined) throw new Error(`wrangler.toml has no ${pattern}`);
  return found;
}
