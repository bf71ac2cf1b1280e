/**
 * `npm run check-config -- [--env NAME] [--secrets-file FILE] [--live [--model NAME]]`: whether what would be deployed
 * can serve. Exits with 1 when it cannot, with 2 when it could not be read; warnings are only printed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { check, configOf } from "./check-config/check.ts";
import type { Finding } from "./check-config/finding.ts";
import { readGiven } from "./check-config/given.ts";
import { checkLive } from "./check-config/live.ts";
import { readSecretsFile } from "./check-config/secrets-file.ts";

const root = join(import.meta.dirname, "..");
const COLOURS = { error: "red", warning: "yellow", note: "dim" } as const;

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
    },
  });
  const given = readGiven(values.config, values.env, readSecrets(values["secrets-file"], values.env));
  const found = check(given, Date.now());
  const config = configOf(given);
  if (values.live && config && !given.hidden.includes("ORIGINS"))
    found.push(...(await checkLive(config, values.model)));
  else if (values.live)
    found.push({ level: "error", text: "--live: the origins are not known. Give a --secrets-file." });
  for (const { level, text } of found) console.log(`${styleText(COLOURS[level], level.padEnd(7))}  ${text}`);
  const errors = count(found, "error");
  const where = values.env === "" ? "The top level" : `[env.${values.env}]`;
  console.log(`${where} of wrangler.toml: ${errors} error(s), ${count(found, "warning")} warning(s).`);
  return errors > 0 ? 1 : 0;
}

/** Without a file, what `npm start` would read too. */
function readSecrets(path: string | undefined, environment: string): Readonly<Record<string, string>> {
  if (path !== undefined) return readSecretsFile(path);
  const own = join(root, ".dev.vars");
  return environment === "" && existsSync(own) ? readSecretsFile(own) : {};
}

function count(found: readonly Finding[], level: Finding["level"]): number {
  return found.filter((finding) => finding.level === level).length;
}
