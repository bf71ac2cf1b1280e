/** The blocks of `docs/clients.md`, each by the name behind its language: the tests run them as they stand there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = readFileSync(join(import.meta.dirname, "../../../docs/clients.md"), "utf8");
const ADDRESS = "http://127.0.0.1:8787";
const KEY = "sk-none";

/** The names of all blocks, in their order; one without a name is "". */
export const BLOCKS: readonly string[] = [...fences().keys()];

/** Returns the block of this name, as it is where the gateway is at `url` and the caller has this `key`. */
export function block(name: string, url: string, key: string): string {
  const text = fences().get(name);
  if (text === undefined) throw new Error(`docs/clients.md has no block "${name}".`);
  return text.replaceAll(ADDRESS, url).replaceAll(KEY, key);
}

/** Returns the sentence of the page that tells with what a client was tested. */
export function tested(): string[] {
  return [...PAGE.matchAll(/`([\w@/-]+)` (\d+\.\d+\.\d+)(?: and (\d+\.\d+\.\d+))?/g)].flatMap(
    ([, name = "", ...versions]) => versions.flatMap((version) => (version ? [`${name} ${version}`] : [])),
  );
}

/** Returns what a block of `export NAME=value` lines sets; throws for any other line. */
export function readExports(lines: string): Record<string, string> {
  return Object.fromEntries(
    lines
      .trim()
      .split("\n")
      .map((line) => {
        const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? [];
        if (name === undefined || value === undefined) throw new Error(`Not an export: ${line}`);
        return [name, value] as const;
      }),
  );
}

function fences(): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", text = ""] of PAGE.matchAll(/^```\w* ?(\S*)\n(.*?)^```$/gms)) {
    if (found.has(name)) throw new Error(`docs/clients.md has two blocks "${name}".`);
    found.set(name, text);
  }
  return found;
}
