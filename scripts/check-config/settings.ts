/** The settings as the Worker will read them: its own schema is the judge. */
import { DESCRIPTIONS } from "../../src/config/describe.ts";
import { findProblems } from "../../src/config/config.ts";
import { NOT_BUILT_YET } from "../../src/config/schema.ts";
import { error, type Finding } from "./finding.ts";
import type { Given } from "./given.ts";

/** What stands in for a secret whose value is not known, so that the rest can be judged. */
const STAND_INS: Readonly<Record<string, unknown>> = {
  ORIGINS: [{ url: "https://hidden.invalid" }],
  ORIGIN_API_KEY: "hidden",
  CF_ACCESS_CLIENT_ID: "hidden",
  CF_ACCESS_CLIENT_SECRET: "hidden",
};

const KNOWN: ReadonlyMap<string, { readonly secret?: true }> = new Map(Object.entries(DESCRIPTIONS));

/** Returns what the Worker will see as its environment. */
export function environmentOf({ vars, secrets, hidden, bindings }: Given): Readonly<Record<string, unknown>> {
  const standIns = Object.entries(STAND_INS).filter(([name]) => hidden.includes(name));
  const bound = bindings.map((name) => [name, { fetch: () => Promise.reject(new Error("a stand-in")) }] as const);
  return { ...Object.fromEntries(bound), ...vars, ...Object.fromEntries(standIns), ...secrets };
}

/** Finds what the Worker would refuse to start with, and what it would never see. */
export function checkSettings(given: Given): Finding[] {
  const { environment, vars, secrets, hidden } = given;
  const env = environmentOf(given);
  // The top level may leave the origin out: `npm start` then takes the simulated one.
  const simulated = environment === "" && !env["ORIGINS"];
  const problems = findProblems(simulated ? { ...env, ORIGINS: STAND_INS["ORIGINS"] } : env);
  const names = new Set([...Object.keys(vars), ...Object.keys(secrets), ...hidden]);
  const missing = !simulated && !env["ORIGINS"];
  return [
    ...(missing ? [error("ORIGINS: missing. It names the vLLM servers, as a variable or a secret.")] : []),
    ...problems.filter((problem) => !(missing && problem.startsWith("ORIGINS:"))).map(error),
    ...[...names].filter(isUnknown).map((name) => error(`${name}: no setting has this name, so it has no effect.`)),
    ...Object.keys(vars)
      .filter((name) => name in secrets || hidden.includes(name))
      .map((name) => error(`${name}: both a variable and a secret, which wrangler refuses.`)),
    ...Object.keys(vars)
      // Hashes may stand in a file that everybody reads, as long as the keys are long and random.
      .filter((name) => KNOWN.get(name)?.secret && name !== "API_KEYS" && vars[name] !== "")
      .map((name) => error(`${name}: a secret, in a file that is kept in git. Set it as one (docs/operations.md).`)),
  ];
}

function isUnknown(name: string): boolean {
  return !KNOWN.has(name) && !NOT_BUILT_YET.some((later) => later === name);
}
