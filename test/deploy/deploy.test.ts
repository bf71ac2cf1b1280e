/** `npm run deploy`, with the real wrangler, against a Cloudflare that is pretended but runs what it is given. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSim, type Sim } from "../../sim/server.ts";
import { startCloudflare, type Cloudflare } from "./support/cloudflare.ts";
import { runScript, type Ran } from "./support/run-script.ts";

const TIMEOUT_MS = 300_000;
const FIRST = "1".repeat(40);
const SECOND = "2".repeat(40);
const KEY = "sk-client";
const SHA256_OF_KEY = "9317152c7ce9662afd2deb4078472692a4d84040d09f9c3d2b2d3688f057c7de";
const VERSION = (number: number): string => `${String(number).repeat(8)}-0000-4000-8000-000000000000`;

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ pace: 1 });
});
afterAll(() => sim.close());

const folder = mkdtempSync(join(tmpdir(), "sluice-deploy-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Settings of a deployment whose origin is at `host`. */
function secrets(host: string): string {
  return JSON.stringify({
    ORIGINS: JSON.stringify([{ url: `https://${host}` }]),
    ORIGIN_API_KEY: "sk-origin",
    API_KEYS: JSON.stringify({ [SHA256_OF_KEY]: { name: "smoke" } }),
  });
}

function deploy(cloudflare: Cloudflare, commit: string, host: string, more: readonly string[] = []): Promise<Ran> {
  const args = ["--env", "staging", "--commit", commit, "--url", cloudflare.url, "--within", "1", ...more];
  return runScript("deploy.ts", args, {
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
    CLOUDFLARE_API_TOKEN: "token",
    CLOUDFLARE_ACCOUNT_ID: "acme",
    DEPLOY_SECRETS: secrets(host),
    SLUICE_API_KEY: KEY,
    GITHUB_OUTPUT: join(folder, "output"),
  });
}

async function health(cloudflare: Cloudflare): Promise<unknown> {
  const response = await fetch(`${cloudflare.url}/health`);
  return { status: response.status, commit: Reflect.get(Object(await response.json()), "commit") };
}

const names = (): Record<string, string> => ({
  "https://vllm.sluice.dev": sim.url,
  "https://gone.sluice.dev": "http://127.0.0.1:1",
});

test("a version that serves stays; one that does not is rolled back", { timeout: TIMEOUT_MS }, async () => {
  await using cloudflare = await startCloudflare({ names: names() });
  const first = await deploy(cloudflare, FIRST, "vllm.sluice.dev");
  expect(first.output).toContain("All 3 stops are as they should be.");
  expect(first.status).toBe(0);
  expect(await health(cloudflare)).toEqual({ status: 200, commit: FIRST });

  const second = await deploy(cloudflare, SECOND, "gone.sluice.dev");
  expect(second.status).toBe(1);
  expect(second.output).toContain(`The smoke test of version ${VERSION(2)} failed.`);
  expect(second.output).toContain(`Rolled back to version ${VERSION(1)} (111111111111).`);
  expect(cloudflare.deployments).toEqual([VERSION(1), VERSION(2), VERSION(1)]);
  expect(await health(cloudflare)).toEqual({ status: 200, commit: FIRST });
  expect(first.output + second.output).not.toMatch(/sk-origin|sk-client/);
  expect(readFileSync(join(folder, "output"), "utf8")).toBe(`url=${cloudflare.url}\n`.repeat(2));

  cloudflare.refuseRoutes();
  const third = await deploy(cloudflare, SECOND, "vllm.sluice.dev");
  expect(third.status).toBe(1);
  expect(third.output).toContain("wrangler failed, see above, after the new version had begun to serve.");
  expect(cloudflare.deployments.slice(3)).toEqual([VERSION(3), VERSION(1)]);
});

test(
  "a first version that does not serve, and a rollback that is refused, are said to serve on",
  { timeout: TIMEOUT_MS },
  async () => {
    await using cloudflare = await startCloudflare({ names: names(), refusesRollback: true });
    const first = await deploy(cloudflare, FIRST, "gone.sluice.dev");
    expect(first.status).toBe(1);
    expect(first.output).toContain("It was the first version, so there is nothing to roll back to");
    const second = await deploy(cloudflare, SECOND, "gone.sluice.dev");
    expect(second.status).toBe(1);
    expect(second.output).toContain(`The rollback to version ${VERSION(1)} (111111111111) was REFUSED`);
    expect(cloudflare.deployments).toEqual([VERSION(1), VERSION(2)]);
  },
);

test(
  "a configuration that cannot serve is not deployed, nor anything that could not be tried",
  { timeout: TIMEOUT_MS },
  async () => {
    await using cloudflare = await startCloudflare({ names: names() });
    const wrong = await deploy(cloudflare, FIRST, "vllm.example.com");
    expect(wrong.status).toBe(1);
    expect(wrong.output).toContain("error    ORIGINS.0.url: an address from the documentation.");
    const env = {
      DEPLOY_SECRETS: secrets("vllm.sluice.dev"),
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      SLUICE_API_KEY: "",
    };
    const keyless = await runScript("deploy.ts", ["--env", "staging", "--commit", FIRST], env);
    expect(keyless.status).toBe(1);
    expect(keyless.output).toContain("SLUICE_API_KEY: the smoke test needs a client's key");
    expect(cloudflare.deployments).toEqual([]);
  },
);

test("--dry-run builds what would be deployed, with no account", { timeout: TIMEOUT_MS }, async () => {
  const file = join(folder, "secrets.json");
  writeFileSync(file, secrets("vllm.sluice.dev"));
  const none = { CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_ACCOUNT_ID: "", SLUICE_API_KEY: "" };
  const args = ["--env", "production", "--dry-run", "--commit", FIRST, "--secrets-file", file];
  const { status, output } = await runScript("deploy.ts", args, none);
  expect(output).toContain("--dry-run: exiting now.");
  expect(output).toContain("env.GIT_COMMIT");
  expect(status).toBe(0);
});

test("--help tells every option", { timeout: TIMEOUT_MS }, async () => {
  const { status, output } = await runScript("deploy.ts", ["--help"]);
  const options = ["env", "secrets-file", "dry-run", "url", "commit", "model", "without-tools", "within"];
  expect([...output.matchAll(/^ {2}--(\S+)/gm)].map(([, name]) => name)).toEqual(options);
  expect(status).toBe(0);
});

test("no environment, or one that is not there", { timeout: TIMEOUT_MS }, async () => {
  expect(await runScript("deploy.ts", [])).toEqual({
    status: 1,
    output: "--env is missing, which a --dry-run needs too: npm run deploy -- --env staging, or --env production\n",
  });
  const { status, output } = await runScript("deploy.ts", ["--env", "prod"]);
  expect(status).toBe(1);
  expect(output).toContain("There is no [env.prod]");
});
