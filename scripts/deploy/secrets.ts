import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SecretsFile extends Disposable {
  /** `undefined`: no secrets come along, those that were set before stay. */
  readonly path: string | undefined;
}

/**
 * Returns where the secrets stand: `path`, or a file that only this user can read and that is gone once disposed of,
 * with `text` in it, which is how a CI job has them.
 */
export function secretsFile(path: string | undefined, text: string | undefined): SecretsFile {
  if (path !== undefined || text === undefined || text === "") return { path, [Symbol.dispose]: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "sluice-secrets-"));
  const file = join(folder, "secrets.json");
  writeFileSync(file, text, { mode: 0o600 });
  return { path: file, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
