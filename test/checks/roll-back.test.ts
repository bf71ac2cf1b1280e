/** Whether a failed version may be taken back: what its configuration says of Durable Objects, now and before. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { durableState, durableStateAt } from "../../scripts/deploy/durable-state.ts";
import { liveVersion } from "../../scripts/deploy/live-version.ts";
import { readDeployed } from "../../scripts/deploy/results.ts";
import { rollBack } from "../../scripts/deploy/roll-back.ts";
import type { Wrangler } from "../../scripts/deploy/wrangler.ts";

const repository = mkdtempSync(join(tmpdir(), "sluice-state-"));
afterAll(() => rmSync(repository, { recursive: true }));

const TOML = 'name = "a"\nmain = "i.ts"\ncompatibility_date = "2026-11-17"\n[env.staging]\n';
const OBJECTS = '[env.staging.exports.Leases]\ntype = "durable-object"\nstorage = "sqlite"\n';
const MIGRATIONS = '[[env.staging.migrations]]\ntag = "v1"\nnew_sqlite_classes = ["Leases"]\n';

const commits: string[] = [];
const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], {
    cwd: repository,
    encoding: "utf8",
  });

/** Commits `toml` and returns the commit. */
function commit(toml: string): string {
  writeFileSync(join(repository, "wrangler.toml"), toml);
  git("add", ".");
  git("commit", "--quiet", "--no-gpg-sign", "--message", "x");
  return git("rev-parse", "HEAD").trim();
}

beforeAll(() => {
  git("init", "--quiet");
  for (const toml of [TOML, `${TOML}vars = { HOLD_MS = 1 }\n`, TOML + OBJECTS, TOML + MIGRATIONS])
    commits.push(commit(toml));
});

/** Runs nothing: every call is answered by the first line whose arguments it begins with. */
function pretend(answers: Readonly<Record<string, { status?: number; said?: string; complained?: string }>>) {
  const calls: string[] = [];
  const wrangler: Wrangler = (args) => {
    const line = args.join(" ");
    calls.push(line);
    const [, answer = {}] = Object.entries(answers).find(([start]) => line.startsWith(start)) ?? [];
    return Promise.resolve({ status: 0, said: "", complained: "", results: "", ...answer });
  };
  return { wrangler, calls };
}

/** What becomes of a failed version of the repository as it is, after `before` was deployed. */
async function rolledBack(before: string | undefined, toml: string): Promise<{ calls: string[]; told: string }> {
  writeFileSync(join(repository, "wrangler.toml"), toml);
  const { wrangler, calls } = pretend({});
  const now = await durableState(join(repository, "wrangler.toml"), "staging");
  const state = { now, before: before === undefined ? undefined : await durableStateAt(repository, before, "staging") };
  const previous = { id: "v-1", commit: before };
  return { calls, told: await rollBack({ wrangler, environment: "staging", previous, state }) };
}

// The first of them loads wrangler, which takes a second, or many on a busy machine.
describe("a failed version", { timeout: 30_000 }, () => {
  test("goes back where no Durable Object has changed, whatever else has", async () => {
    const call = "rollback v-1 --env staging --message The smoke test failed. --yes";
    expect(await rolledBack(commits[0], `${TOML}vars = { HOLD_MS = 2 }\n`)).toEqual({
      calls: [call],
      told: `Rolled back to version v-1 (${commits[0]?.slice(0, 12)}).`,
    });
    expect((await rolledBack(commits[1], TOML)).calls).toEqual([call]);
    expect((await rolledBack(commits[2], TOML + OBJECTS)).calls).toEqual([call]);
    expect((await rolledBack(commits[3], TOML + MIGRATIONS)).calls).toEqual([call]);
  });

  test.each([
    ["a class is new", 0, TOML + OBJECTS],
    ["a migration is new", 1, TOML + MIGRATIONS],
    ["a class is gone", 2, TOML],
    ["migrations became exports", 3, TOML + OBJECTS],
  ])("stays, and that is said, where %s", async (_, before, toml) => {
    const { calls, told } = await rolledBack(commits[before], toml);
    expect(calls).toEqual([]);
    expect(told).toMatch(/^NOT rolled back: this version changes the Durable Objects/);
  });

  test("is tried to be taken back where nobody knows what was deployed before", async () => {
    expect((await rolledBack("f".repeat(40), TOML + OBJECTS)).calls).toHaveLength(1);
    expect(await rolledBack(undefined, TOML)).toMatchObject({ told: "Rolled back to version v-1." });
  });
});

describe("the version that serves", () => {
  const status = JSON.stringify({
    versions: [
      { version_id: "small", percentage: 10 },
      { version_id: "large", percentage: 90 },
    ],
  });
  const view = (version: object) => ({
    "deployments status --json --env staging": { said: status },
    "versions view large --json --env staging": { said: JSON.stringify(version) },
  });

  test.each([
    [
      "its setting",
      { resources: { bindings: [{ name: "GIT_COMMIT", text: "abcdef1" }] }, annotations: { "workers/tag": "1" } },
      "abcdef1",
    ],
    ["its tag", { resources: { bindings: [] }, annotations: { "workers/tag": "abcdef123456" } }, "abcdef123456"],
    ["nothing, as a tag may be anything", { annotations: { "workers/tag": "v1" } }, undefined],
  ])("is the one with most requests; its commit is in %s", async (_, version, commitOfIt) => {
    expect(await liveVersion(pretend(view(version)).wrangler, "staging")).toEqual({ id: "large", commit: commitOfIt });
  });

  test("is none before the first deploy, and an error when Cloudflare cannot be asked", async () => {
    const none = pretend({
      deployments: { status: 1, complained: "This Worker does not exist on your account. [code: 10007]" },
    });
    expect(await liveVersion(none.wrangler, "staging")).toBeUndefined();
    const down = pretend({ deployments: { status: 1, complained: "fetch failed" } });
    await expect(liveVersion(down.wrangler, "staging")).rejects.toThrow(
      "What is deployed now could not be asked:\nfetch failed",
    );
  });
});

/** What wrangler writes of a deploy to `targets`. */
const line = (targets: readonly string[]): string =>
  `{"type":"wrangler-session","version":1}\n${JSON.stringify({ type: "deploy", version: 1, version_id: "v-2", targets })}\n`;

describe("what wrangler says that it has deployed", () => {
  test.each([
    ["https://sluice-staging.acme.workers.dev", "https://sluice-staging.acme.workers.dev"],
    ["llm.example.com (custom domain)", "https://llm.example.com"],
    ["llm.example.com/* (zone name: example.com)", "https://llm.example.com"],
  ])("%s", (target, url) => {
    expect(readDeployed(line([target, "*.example.com/*"]))).toEqual({ versionId: "v-2", urls: [url] });
  });

  test("may be nothing", () => {
    expect(readDeployed(line(["schedule: * * * * *"]))).toEqual({ versionId: "v-2", urls: [] });
    expect(readDeployed('{"type":"command-failed","version":1,"message":"no"}\n')).toBeUndefined();
    expect(readDeployed("")).toBeUndefined();
  });
});
