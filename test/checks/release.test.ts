/** The GitHub release of a tag: its text, and what is asked of GitHub. */
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
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
