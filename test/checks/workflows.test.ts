/** What the workflows must keep to, beside being valid, which `npm run check:workflows` sees to. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly uses?: string;
  readonly needs?: string;
  readonly if?: string;
  readonly permissions?: object;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean | string };
  readonly environment?: { readonly name: string };
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: object;
  readonly concurrency?: object;
  readonly env?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = ".github/workflows";
const texts = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(`${FOLDER}/${name}`, "utf8")]));
const workflows = new Map([...texts].map(([name, text]): [string, Workflow] => [name, parse(text)]));
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"));

function workflow(name: string): Workflow {
  const found = workflows.get(name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
}

test("there are these and no others", () => {
  expect([...workflows.keys()].toSorted()).toEqual(["ci.yml", "deploy.yml", "release.yml"]);
});

describe.each([...workflows])("%s", (name, { permissions, concurrency, env, jobs }) => {
  const all = Object.entries(jobs);
  const steps = all.flatMap(([, job]) => job.steps ?? []);

  it("runs actions of a known commit only, with the version beside it", () => {
    for (const line of (texts.get(name) ?? "").split("\n").filter((text) => /\buses:/.test(text))) {
      expect(line).toMatch(/uses: (\.\/\.github\/workflows\/ci\.yml|actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
    }
  });

  it("runs only what the repository has as a script", () => {
    const runs = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) {
      const [, script] = /^npm run ([a-z:-]+)( -- --env (staging|production))?$/.exec(run) ?? [];
      const known = run === ".ci/run" || run === "npm ci" || (script !== undefined && script in scripts);
      expect(known, run).toBe(true);
    }
  });

  it("may read the code and nothing else, unless a job says so", () => {
    expect(permissions).toEqual({ contents: "read" });
    const more = all.filter(([, job]) => job.permissions !== undefined);
    expect(more.map(([job, { permissions: own }]) => [job, own])).toEqual(
      name === "release.yml" ? [["release", { contents: "write" }]] : [],
    );
  });

  it("leaves no credential behind, and gives secrets to single steps only", () => {
    for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) {
      expect(step.with).toMatchObject({ "persist-credentials": false });
    }
    expect(env).toBeUndefined();
    for (const [, job] of all) expect(JSON.stringify({ ...job, steps: undefined })).not.toContain("secrets.");
    for (const step of steps.filter((some) => JSON.stringify(some).includes("secrets."))) {
      expect(step.run).toMatch(/^npm run (deploy|release)\b/);
      expect(JSON.stringify({ ...step, env: undefined })).not.toContain("secrets.");
    }
  });

  it("ends some time, and does not run beside itself", () => {
    for (const [job, { uses, "timeout-minutes": minutes, concurrency: own }] of all) {
      if (uses !== undefined) continue;
      expect(minutes, job).toBeLessThanOrEqual(30);
      expect(concurrency ?? own, job).toBeDefined();
    }
  });

  it("never runs a stranger's code with a token: no pull_request_target", () => {
    expect(Object.keys(workflow(name).on)).not.toContain("pull_request_target");
  });
});

test("pull requests are checked, and have no secret within reach", () => {
  expect(Object.keys(workflow("ci.yml").on)).toEqual(["pull_request", "workflow_call"]);
  expect(texts.get("ci.yml")).not.toContain("secrets.");
});

test("main goes through the checks, then to staging, then to production", () => {
  const { on, jobs } = workflow("deploy.yml");
  expect(on["push"]).toEqual({ branches: ["main"] });
  expect(Object.keys(jobs)).toEqual(["ci", "staging", "production"]);
  const { ci, staging, production } = jobs;
  expect(ci?.uses).toBe("./.github/workflows/ci.yml");
  expect([staging?.needs, production?.needs]).toEqual(["ci", "staging"]);
  expect(staging?.if).toBe("github.ref == 'refs/heads/main' && vars.CLOUDFLARE_ACCOUNT_ID != ''");
  for (const [name, job] of Object.entries({ staging, production })) {
    expect(job?.environment?.name).toBe(name);
    expect(job?.concurrency).toEqual({ group: `deploy-${name}`, "cancel-in-progress": false });
    expect(job?.steps?.at(-1)?.run).toBe(`npm run deploy -- --env ${name}`);
    expect(job?.steps?.[0]?.with).toMatchObject({ "fetch-depth": 0 });
  }
});

test("a tag makes a release once the checks have passed", () => {
  const { on, jobs } = workflow("release.yml");
  expect(on).toEqual({ push: { tags: ["v*"] } });
  expect(jobs["release"]?.needs).toBe("ci");
  expect(jobs["release"]?.steps?.at(-1)?.run).toBe("npm run release");
});
