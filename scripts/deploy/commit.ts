import { execFileSync } from "node:child_process";

const NAMED = 3;

export interface Checkout {
  /** The hash of what is checked out; nothing when there are changes on top of it, or no repository. */
  readonly commit?: string;
  /** Why there is no hash. */
  readonly reason?: string;
}

/** Returns what is checked out at `root`. */
export function readCheckout(root: string): Checkout {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trimEnd();
  try {
    const changed = git("status", "--porcelain")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.slice("?? ".length));
    if (changed.length === 0) return { commit: git("rev-parse", "HEAD") };
    const more = changed.length > NAMED ? ` and ${changed.length - NAMED} more` : "";
    return { reason: `There are changes that are not committed (${changed.slice(0, NAMED).join(", ")}${more})` };
  } catch {
    // An unpacked archive is as good a place to deploy from.
    return { reason: "There is no git repository here" };
  }
}
