/** Secrets as `wrangler deploy --secrets-file` takes them: a JSON object, or one `NAME=value` a line. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** Returns the secrets in the file at `path`. Throws, without a word of what is in it, when it cannot be read as either. */
export function readSecretsFile(path: string): Readonly<Record<string, string>> {
  const text = readFileSync(path, "utf8");
  if (!text.trimStart().startsWith("{")) return noUndefined(parseEnv(text));
  const wrong = new Error(`${path} begins as JSON does, but is no JSON object of texts.`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own words would quote the file.
    throw wrong;
  }
  const entries = Object.entries(json ?? {}).map(([name, value]: [string, unknown]) => {
    if (typeof value !== "string") throw wrong;
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

function noUndefined(parsed: NodeJS.Dict<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, value ?? ""]));
}
