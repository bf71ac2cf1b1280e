/** `npm run check-config` as it is typed: what it prints, and how it ends. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startSim } from "../../sim/server.ts";
import { runScript, type Ran } from "./support/run-script.ts";

const TIMEOUT_MS = 120_000;
const HASH = "2a8a1240f50636655520ac8ed22aa29473b8517b4abfdbc3bc03bcad73fc8849";
const folder = mkdtempSync(join(tmpdir(), "sluice-check-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const check = (...args: string[]): Promise<Ran> => runScript("check-config.ts", args);

test("the repository's production lacks an origin; with one it is in order", { timeout: TIMEOUT_MS }, async () => {
  expect(await check("--env", "production")).toEqual({
    status: 1,
    output: [
      "error    ORIGINS: missing. It names the vLLM servers, as a variable or a secret.",
      "[env.production] of wrangler.toml: 1 error, 0 warnings.",
      "",
    ].join("\n"),
  });
  const secrets = {
    ORIGINS: '[{"url":"https://vllm.sluice.dev"}]',
    API_KEYS: `{"${HASH}":{"name":"a"}}`,
    ORIGIN_API_KEY: "sk-secret",
  };
  const file = write("secrets.json", JSON.stringify(secrets));
  expect(await check("--env", "production", "--secrets-file", file)).toEqual({
    status: 0,
    output: "[env.production] of wrangler.toml: 0 errors, 0 warnings.\n",
  });
});

test("warnings are only printed, and --live asks the origins", { timeout: TIMEOUT_MS }, async () => {
  const sim = await startSim({ pace: 0 });
  const file = write("laptop.json", JSON.stringify({ ORIGINS: JSON.stringify([{ url: sim.url }]) }));
  const { status, output } = await check("--secrets-file", file, "--live");
  await sim.close();
  expect(output).toMatch(/^note     ORIGINS\.0: vLLM 0\.32\.0, Python front end\. /);
  expect(output).toMatch(/\nThe top level of wrangler\.toml: 0 errors, 1 warning\.\n$/);
  expect(status).toBe(0);
});

test("what cannot be read, or is not known, is said in one line", { timeout: TIMEOUT_MS }, async () => {
  const { status, output } = await check("--env", "prod");
  expect(output).toMatch(/^There is no \[env\.prod\] in .*wrangler\.toml, only: staging, production\.\n$/);
  expect(status).toBe(2);
  const live = await check("--env", "staging", "--live");
  expect(live.output).toContain(
    "error    --live: ORIGINS is not known. It is looked for in [env.staging.vars] of wrangler.toml and in the --secrets-file; the environment and .dev.vars are npm start's.\n",
  );
  expect(live.status).toBe(1);
  const file = write("wrong.json", JSON.stringify({ ORIGINS: "https://vllm.sluice.dev", API_KEYS: "{}" }));
  const wrong = await check("--env", "staging", "--secrets-file", file, "--live");
  expect(wrong.output).toContain("error    --live: no origin was asked, since a setting is wrong.\n");
});

test("--help tells every option", { timeout: TIMEOUT_MS }, async () => {
  const { status, output } = await check("--help");
  const options = ["env", "secrets-file", "live", "model", "config"];
  expect([...output.matchAll(/^ {2}--(\S+)/gm)].map(([, name]) => name)).toEqual(options);
  expect(status).toBe(0);
});
