/**
 * Settings as a file that `wrangler dev --env-file` reads back exactly. Its parser knows three quotes and escapes of
 * none of them, and expands `$NAME` even between quotes.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartFailure } from "./failure.ts";

export interface EnvFile extends Disposable {
  readonly path: string;
}

/** Writes `settings` where only this user can read them, outside the repository, until disposed of. */
export function writeEnvFile(settings: Readonly<Record<string, string>>): EnvFile {
  const text = formatEnv(settings);
  const folder = mkdtempSync(join(tmpdir(), "sluice-"));
  const path = join(folder, "settings.env");
  writeFileSync(path, text, { mode: 0o600 });
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns `settings` in the file's syntax. Throws for a value that the syntax cannot hold, naming its setting only. */
export function formatEnv(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${quote(name, value.replaceAll("$", "\\$"))}\n`)
    .join("");
}

function quote(name: string, value: string): string {
  // A backslash before the closing quote reads as an escape of it; `\n` between double quotes as a line break.
  const open = !value.endsWith("\\");
  for (const mark of ["'", "`"]) {
    if (open && !value.includes(mark)) return mark + value + mark;
  }
  if (!/["\\]/.test(value)) return `"${value}"`;
  if (/^[^\s#'"`](?:[^\r\n#]*[^\s#])?$/.test(value)) return value;
  throw new StartFailure(
    `${name} holds a mixture of quotes that cannot be handed to wrangler dev. Choose another value.`,
  );
}
