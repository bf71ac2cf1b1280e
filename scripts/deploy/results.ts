export interface Deployed {
  readonly versionId: string;
  /** Where it answers, `https://` and a name; the first is wrangler's own first. Empty for a Worker without a route. */
  readonly urls: readonly string[];
}

interface Line {
  readonly type?: unknown;
  readonly version_id?: unknown;
  readonly targets?: unknown;
}

/** Returns what wrangler says it has deployed, in the lines that it wrote; nothing where it has deployed nothing. */
export function readDeployed(lines: string): Deployed | undefined {
  const found = lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): Line => JSON.parse(line))
    .findLast(({ type }) => type === "deploy");
  if (typeof found?.version_id !== "string") return undefined;
  const targets: unknown[] = Array.isArray(found.targets) ? found.targets : [];
  return { versionId: found.version_id, urls: targets.filter((target) => typeof target === "string").flatMap(urlOf) };
}

/** `https://name.acme.workers.dev`, `llm.example.com (custom domain)`, or a pattern, of which one without `*` is an address. */
function urlOf(target: string): string[] {
  const [place = ""] = target.split(" ");
  const host = place.replace(/^https:\/\//, "").replace(/\/\*?$/, "");
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host) ? [`https://${host}`] : [];
}
