import { execFileSync } from "node:child_process";

/** Returns the hash of what is checked out at `root`; nothing when there are changes on top of it, or no repository. */
export function commitAt(root: string): string | undefined {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD") : undefined;
  } catch {
    // An unpacked archive is as good a place to deploy from.
    return undefined;
  }
}
