/**
 * `npm run check-config -- [--env NAME] [--secrets-file FILE] [--live [--model NAME]]`: whether what would be deployed
 * can serve. Exits with 1 when it cannot, with 2 when it could not be read; warnings are only printed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { check, configOf } from "./check-config/check.ts";
import { error, type Finding } from "./check-config/finding.ts";
import { readGiven, type Given } from "./check-config/given.ts";
import { checkLive } from "./check-config/live.ts";
import { readSecretsFile } from "./check-config/secrets-file.ts";
import { environmentOf } from "./check-config/settings.ts";

const root = join(import.meta.dirname, "..");
const COLOURS = { error: "red", warning: "yellow", note: "dim" } as const;
const USAGE = `npm run check-config -- [--env NAME] [--secrets-file FILE] [--live [--model NAME]] [--config FILE]

  --env NAME            the environment that would be deployed; without it the top level, which npm start uses
  --secrets-file FILE   the secrets, as JSON or as NAME=value lines; without it, at the top level, .dev.vars
  --live                ask each origin what it is, which costs a few tokens
  --model NAME          the model to ask, else the first that an origin lists
  --config FILE         another file than wrangler.toml

The environment is not read: it is npm start's. Exits with 1 when what was found cannot serve.`;

try {
  process.exitCode = await run();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 2;
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      env: { type: "string", default: "" },
      config: { type: "string", default: join(root, "wrangler.toml") },
      "secrets-file": { type: "string" },
      live: { type: "boolean", default: false },
      model: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const given = readGiven(values.config, values.env, readSecrets(values["secrets-file"], values.env));
  const found = check(given, Date.now());
  if (values.live) found.push(...(await askOrigins(given, values.model)));
  for (const { level, text } of found) console.log(`${styleText(COLOURS[level], level.padEnd(7))}  ${text}`);
  const errors = found.filter(({ level }) => level === "error").length;
  const warnings = found.filter(({ level }) => level === "warning").length;
  const where = values.env === "" ? "The top level" : `[env.${values.env}]`;
  console.log(`${where} of wrangler.toml: ${count(errors, "error")}, ${count(warnings, "warning")}.`);
  return errors > 0 ? 1 : 0;
}

/** Without a file, what `npm start` would read too. */
function readSecrets(path: string | undefined, environment: string): Readonly<Record<string, string>> {
  if (path !== undefined) return readSecretsFile(path);
  const own = join(root, ".dev.vars");
  return environment === "" && existsSync(own) ? readSecretsFile(own) : {};
}

async function askOrigins(given: Given, model: string | undefined): Promise<Finding[]> {
  const { environment, hidden } = given;
  if (hidden.includes("ORIGINS") || !environmentOf(given)["ORIGINS"]) {
    const places =
      environment === ""
        ? "[vars] of wrangler.toml and in the --secrets-file, or in .dev.vars where none is given; the environment is npm start's"
        : `[env.${environment}.vars] of wrangler.toml and in the --secrets-file; the environment and .dev.vars are npm start's`;
    return [error(`--live: ORIGINS is not known. It is looked for in ${places}.`)];
  }
  const config = configOf(given);
  return config ? checkLive(config, model) : [error("--live: no origin was asked, since a setting is wrong.")];
}

function count(number: number, name: string): string {
  return `${number} ${name}${number === 1 ? "" : "s"}`;
}
