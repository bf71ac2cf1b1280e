/** `npm run check-config` as it is typed: how it reads wrangler.toml and the secrets, and how it ends. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runScript, type Ran } from "./support/run-script.ts";

const HASH = "2a8a1240f50636655520ac8ed22aa29473b8517b4abfdbc3bc03bcad73fc8849";
const folder = mkdtempSync(join(tmpdir(), "sluice-check-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const check = (...args: string[]): Promise<Ran> => runScript("check-config.ts", args);

const SECRETS = {
  ORIGINS: '[{"url":"https://vllm.sluice.dev"}]',
  API_KEYS: `{"${HASH}":{"name":"a"}}`,
  ORIGIN_API_KEY: "sk",
};

test("the repository's own environments lack nothing but an origin", { timeout: 20_000 }, async () => {
  for (const env of ["staging", "production"]) {
    const { status, output } = await check("--env", env);
    expect({ status, output }).toEqual({
      status: 1,
      output: `error    ORIGINS: missing. It names the vLLM servers, as a variable or a secret.\n[env.${env}] of wrangler.toml: 1 error(s), 0 warning(s).\n`,
    });
  }
  const secrets = write("secrets.json", JSON.stringify(SECRETS));
  expect(await check("--env", "production", "--secrets-file", secrets)).toEqual({
    status: 0,
    output: "[env.production] of wrangler.toml: 0 error(s), 0 warning(s).\n",
  });
});

test("secrets may stand in lines; a broken file is not quoted", { timeout: 20_000 }, async () => {
  const lines = Object.entries(SECRETS).map(([name, value]) => `${name}='${value}'\n`);
  const file = write("secrets.env", lines.join(""));
  expect((await check("--env", "staging", "--secrets-file", file)).status).toBe(0);
  const broken = write("broken.json", '{"API_KEYS": sk-secret');
  const { status, output } = await check("--env", "staging", "--secrets-file", broken);
  expect({ status, output }).toEqual({
    status: 2,
    output: `${broken} begins as JSON does, but is no JSON object of texts.\n`,
  });
});

test("bindings of every kind, variables and secrets are read from the file", { timeout: 20_000 }, async () => {
  const toml = readFileSync("wrangler.toml", "utf8")
    .replace(/^main = .*$/m, 'main = "index.ts"')
    .replace(
      /^\[env\.staging\]$/m,
      `[vars]\nHOLD_MS = 500\n\n[[kv_namespaces]]\nbinding = "KEYS"\n\n[[ratelimits]]\nname = "RPM"\nnamespace_id = "1"\nsimple = { limit = 1, period = 60 }\n\n[[durable_objects.bindings]]\nname = "LEASES"\nclass_name = "Leases"\n\n[[queues.producers]]\nbinding = "USAGE"\nqueue = "usage"\n\n[env.staging]`,
    )
    .replace(
      /^\[env\.production\.vars\]$/m,
      '[env.production.vars]\nALLOW_ANONYMOUS = true\nORIGIN_API_KEY = "sk-secret"\n',
    );
  const config = write("wrangler.toml", toml);
  const secrets = write("origins.json", JSON.stringify({ ORIGINS: SECRETS.ORIGINS }));
  const { status, output } = await check("--config", config, "--env", "production", "--secrets-file", secrets);
  expect(status).toBe(1);
  expect(output.trimEnd().split("\n")).toEqual([
    "error    ORIGIN_API_KEY: a secret, in a file that is kept in git. Set it as one (docs/operations.md).",
    "error    ALLOW_ANONYMOUS: true. Everybody on the internet may use the GPUs.",
    ...["KEYS", "RPM", "LEASES", "USAGE"].map((name) =>
      expect.stringMatching(new RegExp(`^error    ${name}: a binding of the top level`)),
    ),
    "warning  HOLD_MS: set at the top level, but not in [env.production.vars], which does not inherit it.",
    "[env.production] of wrangler.toml: 6 error(s), 1 warning(s).",
  ]);
});

test("an environment that is not there, and an unknown option", { timeout: 20_000 }, async () => {
  const { status, output } = await check("--env", "prod");
  expect(status).toBe(2);
  expect(output).toContain("There is no [env.prod] in ");
  expect((await check("--enviroment", "production")).status).toBe(2);
});
