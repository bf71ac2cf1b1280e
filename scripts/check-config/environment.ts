import { error, warning, type Finding } from "./finding.ts";
import type { Given } from "./given.ts";

/** Finds what the top level has and a deployed environment forgot to repeat. */
export function checkEnvironment({ environment, vars, secrets, hidden, bindings, top }: Given): Finding[] {
  if (environment === "") return [];
  const known = new Set([...Object.keys(vars), ...Object.keys(secrets), ...hidden]);
  return [
    ...top.bindings
      .filter((name) => !bindings.includes(name))
      .map((name) => error(`${name}: a binding of the top level that [env.${environment}] does not repeat.`)),
    ...top.vars
      .filter((name) => !known.has(name))
      .map((name) =>
        warning(`${name}: set at the top level, but not in [env.${environment}.vars], which does not inherit it.`),
      ),
  ];
}
