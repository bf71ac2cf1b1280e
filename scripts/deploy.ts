/**
 * `npm run deploy -- --env NAME [--secrets-file FILE] [--dry-run] [--url URL] [--model MODEL] [--without-tools]
 * [--commit SHA] [--within SECONDS]`: checks the configuration, deploys it, tries it out, and goes back when it does not serve.
 *
 * `DEPLOY_SECRETS` may hold the JSON of a secrets file, `SLUICE_API_KEY` is the client's key for the smoke test, and
 * wrangler needs `CLOUDFLARE_API_TOKEN` and `CLOUDFLARE_ACCOUNT_ID` or its own login. Exits with 1 when the new version
 * does not serve, whatever became of it.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCheckout } from "./deploy/commit.ts";
import { durableState, durableStateAt } from "./deploy/durable-state.ts";
import { liveVersion, type LiveVersion } from "./deploy/live-version.ts";
import { readDeployed } from "./deploy/results.ts";
import { rollBack } from "./deploy/roll-back.ts";
import { runNode } from "./deploy/run.ts";
import { secretsFile } from "./deploy/secrets.ts";
import { wrangler } from "./deploy/wrangler.ts";

const root = join(import.meta.dirname, "..");
const toml = join(root, "wrangler.toml");
const USAGE = `npm run deploy -- --env NAME [options]

  --env NAME            the environment to deploy: staging or production
  --secrets-file FILE   secrets that are set with this version; DEPLOY_SECRETS may hold the same as JSON
  --dry-run             stop before anything is uploaded; needs --env, and no account
  --url URL             the address to try it at, else the first that wrangler tells
  --commit SHA          what /health tells, else what is checked out, where nothing is changed on top of it
  --model NAME          of the smoke test: the model to ask, else the first that is listed
  --without-tools       of the smoke test: the origin has no tool parser
  --within SECONDS      of the smoke test: how long the new version may take to answer, 60 by default

SLUICE_API_KEY is a client's key for the smoke test. wrangler needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID, or
its own login. Exits with 1 when the new version does not serve.`;

try {
  process.exitCode = await deploy();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}

async function deploy(): Promise<number> {
  const options = readOptions();
  if (options === "help") {
    console.log(USAGE);
    return 0;
  }
  const { environment, url: given } = options;
  const { commit, reason } = options.commit === undefined ? readCheckout(root) : { commit: options.commit };
  using secrets = secretsFile(options.secrets, process.env["DEPLOY_SECRETS"]);
  const along = secrets.path === undefined ? [] : ["--secrets-file", secrets.path];
  if ((await runNode("scripts/check-config.ts", ["--env", environment, ...along])) !== 0) return 1;

  const named = commit === undefined ? [] : ["--var", `GIT_COMMIT:${commit}`, "--tag", commit.slice(0, 12)];
  if (commit === undefined) console.log(`${reason}: /health will tell no commit.`);
  const upload = ["deploy", "--env", environment, ...named, ...along];
  if (options.dryRun) return (await wrangler([...upload, "--dry-run"])).status;

  if (!process.env["SLUICE_API_KEY"]) {
    throw new Error(
      "SLUICE_API_KEY: the smoke test needs a client's key; any text where the door is open to everybody.",
    );
  }
  const previous = await liveVersion(wrangler, environment);
  const { status, results } = await wrangler(upload);
  const deployed = status === 0 ? readDeployed(results) : undefined;
  if (deployed === undefined) {
    // It may have come so far that the new version serves: what it serves with may still be missing.
    const now = await liveVersion(wrangler, environment);
    if (now?.id === previous?.id) throw new Error("wrangler failed, see above. Nothing has changed.");
    console.error("wrangler failed, see above, after the new version had begun to serve.");
    return goBack(environment, previous);
  }
  const url = given ?? deployed.urls[0];
  if (url === undefined)
    throw new Error("wrangler tells no address to try it at. Deployed, and not tried: give --url.");
  report(url);
  const expected = commit === undefined ? [] : ["--commit", commit];
  if ((await runNode("scripts/smoke.ts", [url, ...expected, ...options.smoke])) === 0) return 0;
  console.error(`\nThe smoke test of version ${deployed.versionId} failed.`);
  return goBack(environment, previous);
}

/** Rolls back where that can be, says what has become of it, and returns the exit status. */
async function goBack(environment: string, previous: LiveVersion | undefined): Promise<number> {
  const before = previous?.commit === undefined ? undefined : await durableStateAt(root, previous.commit, environment);
  const state = { now: await durableState(toml, environment), before };
  console.error(await rollBack({ wrangler, environment, previous, state }));
  return 1;
}

interface Options {
  readonly environment: string;
  readonly secrets: string | undefined;
  readonly dryRun: boolean;
  readonly url: string | undefined;
  readonly commit: string | undefined;
  /** What is passed on to the smoke test. */
  readonly smoke: readonly string[];
}

function readOptions(): Options | "help" {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    options: {
      env: text,
      "secrets-file": text,
      "dry-run": flag,
      url: text,
      commit: text,
      model: text,
      "without-tools": flag,
      within: text,
      help: flag,
    },
  });
  if (values.help) return "help";
  if (values.env === undefined || values.env === "") {
    throw new Error(
      "--env is missing, which a --dry-run needs too: npm run deploy -- --env staging, or --env production",
    );
  }
  const smoke = [
    ...(values.model === undefined ? [] : ["--model", values.model]),
    ...(values["without-tools"] ? ["--without-tools"] : []),
    ...(values.within === undefined ? [] : ["--within", values.within]),
  ];
  const { env: environment, "secrets-file": secrets, "dry-run": dryRun, url } = values;
  return { environment, secrets, dryRun, url, commit: values.commit, smoke };
}

/** A workflow shows the address beside the environment's name. */
function report(url: string): void {
  const file = process.env["GITHUB_OUTPUT"];
  if (file !== undefined && file !== "") appendFileSync(file, `url=${url}\n`);
}
