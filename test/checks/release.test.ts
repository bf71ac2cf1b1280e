/** The GitHub release of a tag: its text, and what is asked of GitHub. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sectionOf } from "../../scripts/release/changelog.ts";
import { publish } from "../../scripts/release/publish.ts";
import { startOrigin, type Origin } from "../support/origin.ts";

const CHANGELOG = `# Changelog

## [Unreleased]

- Not yet.

## [1.10.0] - 2026-12-02

### Added

- One.

## [1.1.0] - 2026-12-01

- Two.

[1.1.0]: https://example.com
`;

describe("what the changelog says of a version", () => {
  test("is its own section", () => {
    expect(sectionOf(CHANGELOG, "1.10.0")).toBe("### Added\n\n- One.");
    expect(sectionOf(CHANGELOG, "1.1.0")).toBe("- Two.");
  });

  test.each(["1.1", "2.0.0", "Unreleased]"])("may be missing: %s", (version) => {
    expect(() => sectionOf(CHANGELOG, version)).toThrow(`CHANGELOG.md says nothing of [${version}].`);
  });

  test("may be empty, which is the same", () => {
    expect(() => sectionOf("## [1.0.0] - 2026-12-01\n\n## [0.9.0]\n\n- Old.\n", "1.0.0")).toThrow("says nothing of");
  });
});

test("the changelog tells of what is not released yet, or of the version in package.json", () => {
  const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  expect(changelog).toMatch(/^## \[Unreleased\]$/m);
  expect(changelog).toContain(`\n## [${version}] - `);
});

async function github(status: number, answer: object): Promise<Origin> {
  const origin = await startOrigin((request) => request.json(answer, status));
  onTestFinished(() => origin.close());
  return origin;
}

describe("a release", () => {
  test.each([
    ["v1.10.0", false],
    ["v2.0.0-rc.1", true],
  ])("%s is made", async (tag, prerelease) => {
    const origin = await github(201, { html_url: "https://github.test/r/1" });
    const { url } = origin;
    const address = await publish({ tag, text: "- One." }, { url, repository: "acme/sluice", token: "gh-token" });
    expect(address).toBe("https://github.test/r/1");
    const [request] = origin.requests;
    expect([request?.method, request?.path]).toEqual(["POST", "/repos/acme/sluice/releases"]);
    expect(request?.headers).toMatchObject({ authorization: "Bearer gh-token", accept: "application/vnd.github+json" });
    expect(JSON.parse(request?.body ?? "")).toEqual({ tag_name: tag, name: tag, body: "- One.", prerelease });
  });

  test("that is there already is GitHub's word against ours", async () => {
    const origin = await github(422, { errors: [{ code: "already_exists" }] });
    const { url } = origin;
    const making = publish({ tag: "v1.0.0", text: "x" }, { url, repository: "acme/sluice", token: "gh-token" });
    await expect(making).rejects.toThrow('GitHub answers 422: {"errors":[{"code":"already_exists"}]}');
  });
});

describe("npm run release, in a checkout where nothing is installed", () => {
  const checkout = mkdtempSync(join(tmpdir(), "sluice-release-"));
  const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
  beforeAll(() => {
    for (const path of ["package.json", "CHANGELOG.md", "scripts/release.ts", "scripts/release"]) {
      cpSync(path, join(checkout, path), { recursive: true });
    }
  });
  afterAll(() => rmSync(checkout, { recursive: true }));

  async function run(env: NodeJS.ProcessEnv): Promise<{ status: number; output: string }> {
    const child = spawn(process.execPath, [join(checkout, "scripts/release.ts")], { env, stdio: "pipe" });
    const [out, err] = [text(child.stdout), text(child.stderr)];
    const [status]: number[] = await once(child, "close");
    return { status: status ?? -1, output: (await out) + (await err) };
  }

  test("makes the release of the version in package.json", async () => {
    const origin = await github(201, { html_url: "https://github.test/r/2" });
    const env = { GITHUB_API_URL: origin.url, GITHUB_REPOSITORY: "acme/sluice", GITHUB_TOKEN: "gh-token" };
    expect(await run({ ...env, GITHUB_REF_NAME: `v${version}` })).toEqual({
      status: 0,
      output: "https://github.test/r/2\n",
    });
    expect(JSON.parse(origin.requests[0]?.body ?? "")).toMatchObject({
      tag_name: `v${version}`,
      body: expect.stringContaining("### Added"),
    });
  });

  test("refuses a tag of another version", async () => {
    expect(await run({ GITHUB_REF_NAME: "v9.9.9", GITHUB_TOKEN: "gh-token" })).toEqual({
      status: 1,
      output: `The tag is v9.9.9, and package.json says ${version}.\n`,
    });
  });
});
