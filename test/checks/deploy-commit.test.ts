/** Which commit `npm run deploy` says that it deploys, and why none. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readCheckout } from "../../scripts/deploy/commit.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-commit-"));
afterAll(() => rmSync(folder, { recursive: true }));

const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
const write = (name: string): void => writeFileSync(join(folder, name), name);

test("outside a repository there is none", () => {
  expect(readCheckout(folder)).toEqual({ reason: "There is no git repository here" });
});

test("in one that is clean it is what is checked out, secrets beside it or not; else the changes are named", () => {
  git("init", "--quiet");
  copyFileSync(join(import.meta.dirname, "../../.gitignore"), join(folder, ".gitignore"));
  write("a");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@a.test", "commit", "--quiet", "--message", "a");
  for (const name of ["secrets.json", "secrets.staging.json", ".dev.vars"]) write(name);
  expect(readCheckout(folder)).toEqual({ commit: git("rev-parse", "HEAD") });
  writeFileSync(join(folder, "a"), "other");
  write("b");
  expect(readCheckout(folder).reason).toBe("There are changes that are not committed (a, b)");
  for (const name of ["c", "d", "e"]) write(name);
  expect(readCheckout(folder).reason).toBe("There are changes that are not committed (a, b, c and 2 more)");
});
