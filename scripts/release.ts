/**
 * `npm run release`, in the job of a tag: makes its GitHub release, with what CHANGELOG.md says of the version. GitHub
 * sets `GITHUB_REF_NAME`, `GITHUB_REPOSITORY` and `GITHUB_API_URL`; `GITHUB_TOKEN` is given. Without a token it only
 * shows the text. Exits with 1 when the tag is not the version of package.json.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sectionOf } from "./release/changelog.ts";
import { publish } from "./release/publish.ts";

const root = join(import.meta.dirname, "..");

try {
  await release();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_API_URL = "https://api.github.com", GITHUB_TOKEN } = process.env;
  const tag = GITHUB_REF_NAME ?? `v${version}`;
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and package.json says ${version}.`);
  const text = sectionOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version);
  if (!GITHUB_TOKEN || !GITHUB_REPOSITORY) {
    console.log(text);
    return;
  }
  console.log(
    await publish({ tag, text }, { url: GITHUB_API_URL, repository: GITHUB_REPOSITORY, token: GITHUB_TOKEN }),
  );
}
