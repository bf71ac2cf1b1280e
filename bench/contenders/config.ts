/** A configuration of workerd, as text: one Worker on a port of its own, with nothing before it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Service {
  /** By the name under which they import each other; the first is the Worker. */
  readonly modules: Readonly<Record<string, string>>;
  readonly bindings: Readonly<Record<string, string>>;
}

/** Modules are embedded from files that lie beside the configuration. */
export function toConfig({ modules, bindings }: Service): string {
  const { date, flags } = compatibility();
  const listed = Object.keys(modules).map((name) => `(name = ${text(name)}, esModule = embed ${text(name)})`);
  const bound = Object.entries(bindings).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [${listed.join(", ")}],
  compatibilityDate = ${text(date)},
  compatibilityFlags = [${flags.map(text).join(", ")}],
  bindings = [${bound.join(", ")}],
  globalOutbound = "internet",
);
`;
}

/** JSON's escapes are Cap'n Proto's too, as far as they are needed here. */
function text(value: string): string {
  return JSON.stringify(value);
}

/** As the Worker is deployed. */
function compatibility(): { date: string; flags: readonly string[] } {
  const toml = readFileSync(join(import.meta.dirname, "../../wrangler.toml"), "utf8");
  const date = /^compatibility_date = "(.*)"$/m.exec(toml)?.[1];
  const flags = /^compatibility_flags = (.*)$/m.exec(toml)?.[1];
  if (date === undefined || flags === undefined)
    throw new Error("wrangler.toml does not say what it is compatible with");
  return { date, flags: JSON.parse(flags) };
}
