/** What becomes of a version that failed its smoke test. */
import type { LiveVersion } from "./live-version.ts";
import type { Wrangler } from "./wrangler.ts";

export interface RollBackParts {
  readonly wrangler: Wrangler;
  readonly environment: string;
  /** What served before. */
  readonly previous: LiveVersion | undefined;
  /** Durable Objects as they are declared now, and as they were when `previous` was deployed; `undefined`: not known. */
  readonly state: { readonly now: string; readonly before: string | undefined };
}

/** Goes back to the version before, unless that cannot be, and returns what to tell whoever deployed. Never throws for a refusal. */
export async function rollBack({ wrangler, environment, previous, state }: RollBackParts): Promise<string> {
  if (previous === undefined) {
    return "It was the first version, so there is nothing to roll back to: it still serves. Mend it and deploy again.";
  }
  if (state.before !== undefined && state.before !== state.now) {
    return [
      "NOT rolled back: this version changes the Durable Objects, and Cloudflare refuses to go back across that.",
      "It still serves. Mend it and deploy again; next time ship such a change alone (docs/operations.md).",
    ].join("\n");
  }
  const why = ["--message", "The smoke test failed.", "--yes"];
  const { status } = await wrangler(["rollback", previous.id, "--env", environment, ...why]);
  const name = `${previous.id}${previous.commit === undefined ? "" : ` (${previous.commit.slice(0, 12)})`}`;
  if (status === 0) return `Rolled back to version ${name}.`;
  return `The rollback to version ${name} was REFUSED, see above: the new version still serves. Mend it and deploy again.`;
}
