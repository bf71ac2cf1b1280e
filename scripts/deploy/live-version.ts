/** The version that serves now: what a failed deploy goes back to. */
import type { Wrangler } from "./wrangler.ts";

export interface LiveVersion {
  readonly id: string;
  /** The commit it was deployed from; `undefined` where nobody said. */
  readonly commit: string | undefined;
}

interface Deployment {
  readonly versions?: readonly { readonly version_id: string; readonly percentage: number }[];
}

interface Version {
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly resources?: { readonly bindings?: readonly Readonly<Record<string, unknown>>[] };
}

/** What Cloudflare answers of a Worker that was never deployed. */
const NO_SUCH_WORKER = /\[code: (10007|10090)\]|does not exist/i;

/**
 * Returns the version with the largest share of the requests; nothing before the first deploy. Throws when Cloudflare
 * cannot be asked, since nothing should be deployed that could not be taken back.
 */
export async function liveVersion(wrangler: Wrangler, environment: string): Promise<LiveVersion | undefined> {
  const { status, said, complained } = await wrangler(
    ["deployments", "status", "--json", "--env", environment],
    "quiet",
  );
  if (status !== 0) {
    if (NO_SUCH_WORKER.test(said + complained)) return undefined;
    throw new Error(`What is deployed now could not be asked:\n${(complained || said).trim()}`);
  }
  const deployment: Deployment = JSON.parse(said);
  const [largest] = (deployment.versions ?? []).toSorted((a, b) => b.percentage - a.percentage);
  if (largest === undefined) return undefined;
  const view = await wrangler(["versions", "view", largest.version_id, "--json", "--env", environment], "quiet");
  if (view.status !== 0) return { id: largest.version_id, commit: undefined };
  const version: Version = JSON.parse(view.said);
  return { id: largest.version_id, commit: commitOf(version) };
}

function commitOf({ annotations, resources }: Version): string | undefined {
  const binding = resources?.bindings?.find(({ name }) => name === "GIT_COMMIT");
  const said = binding?.["text"] ?? annotations?.["workers/tag"];
  return typeof said === "string" && /^[0-9a-f]{7,64}$/.test(said) ? said : undefined;
}
