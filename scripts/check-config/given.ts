/** What one environment of `wrangler.toml` gives the Worker, and what it leaves out. */
import { unstable_readConfig as readWranglerConfig } from "wrangler";

export interface Given {
  /** `""` is the top level, which `npm start` uses and nobody deploys. */
  readonly environment: string;
  readonly vars: Readonly<Record<string, unknown>>;
  /** Secrets whose values are known. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Secrets that `[secrets] required` names and whose values are not known here: they were set before. */
  readonly hidden: readonly string[];
  /** Names of bindings. */
  readonly bindings: readonly string[];
  /** What the top level has: an environment inherits neither its bindings nor its variables. */
  readonly top: { readonly vars: readonly string[]; readonly bindings: readonly string[] };
}

type WranglerConfig = ReturnType<typeof readWranglerConfig>;

/** Reads `environment` of the file at `config`. Throws where wrangler would, and for an environment that is not there. */
export function readGiven(config: string, environment: string, secrets: Readonly<Record<string, string>>): Given {
  const top = readWranglerConfig({ config, env: "" }, { hideWarnings: true });
  if (environment !== "" && !top.definedEnvironments?.includes(environment)) {
    throw new Error(`There is no [env.${environment}] in ${config}, only: ${top.definedEnvironments?.join(", ")}.`);
  }
  const own = environment === "" ? top : readWranglerConfig({ config, env: environment }, { hideWarnings: true });
  const required: readonly string[] = own.secrets?.required ?? [];
  return {
    environment,
    vars: own.vars,
    secrets,
    hidden: required.filter((name) => !(name in secrets)),
    bindings: bindingNames(own),
    top: { vars: Object.keys(top.vars), bindings: bindingNames(top) },
  };
}

/** Every kind of binding is an object with its name, or a list of them; only these two have it one level down. */
function bindingNames(config: WranglerConfig): string[] {
  const nested = [config.durable_objects?.bindings, config.queues?.producers];
  return [...Object.values(config), ...nested].flat().flatMap(nameOf);
}

function nameOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  // Durable Objects and rate limits call it `name`; nothing else with a name also has a class or a limit.
  const key = "binding" in value ? "binding" : "class_name" in value || "simple" in value ? "name" : undefined;
  const name: unknown = key === undefined ? undefined : Reflect.get(value, key);
  return typeof name === "string" ? [name] : [];
}
