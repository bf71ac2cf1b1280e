/** What `check-config` reads: an environment of wrangler.toml as wrangler understands it, and a file of secrets. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readGiven } from "../../scripts/check-config/given.ts";
import { readSecretsFile } from "../../scripts/check-config/secrets-file.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-given-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const MORE = `
[vars]
HOLD_MS = 500

[[kv_namespaces]]
binding = "KEYS"

[[ratelimits]]
name = "RPM"
namespace_id = "1"
simple = { limit = 1, period = 60 }

[[durable_objects.bindings]]
name = "LEASES"
class_name = "Leases"

[[queues.producers]]
binding = "USAGE"
queue = "usage"

[[analytics_engine_datasets]]
binding = "METRICS"

[env.staging]`;

test("variables, secrets and bindings of every kind", () => {
  const toml = readFileSync("wrangler.toml", "utf8")
    .replace(/^main = .*$/m, 'main = "index.ts"')
    .replace(/^\[env\.staging\]$/m, MORE)
    .replace(/^\[env\.production\.vars\]$/m, "[env.production.vars]\nORIGINS = [{ url = 'https://a.test' }]\n");
  const path = write("wrangler.toml", toml);
  const top = {
    vars: ["HOLD_MS"],
    bindings: expect.toSatisfy((names: string[]) =>
      ["KEYS", "LEASES", "METRICS", "RPM", "USAGE", "VERSION_METADATA"].every((name) => names.includes(name)),
    ),
  };
  expect(readGiven(path, "production", { ORIGIN_API_KEY: "sk" })).toEqual({
    environment: "production",
    vars: { ORIGINS: [{ url: "https://a.test" }] },
    secrets: { ORIGIN_API_KEY: "sk" },
    hidden: ["API_KEYS"],
    bindings: ["VERSION_METADATA"],
    top,
  });
  expect(readGiven(path, "staging", { API_KEYS: "{}" })).toMatchObject({ vars: {}, hidden: [] });
  expect(readGiven(path, "", {})).toMatchObject({ vars: { HOLD_MS: 500 }, hidden: [] });
});

test("secrets as JSON or as lines", () => {
  expect(readSecretsFile(write("a.json", ' {"A": "1", "B": "{\\"c\\": \\"$D\\"}"}'))).toEqual({
    A: "1",
    B: '{"c": "$D"}',
  });
  expect(readSecretsFile(write("a.env", "A=1\n# no\nB='{\"c\": 2}'\n"))).toEqual({ A: "1", B: '{"c": 2}' });
});

test.each(['{"A": sk-secret', '{"A": {"sk-secret": 1}}'])("a file that is neither is not quoted: %s", (text) => {
  const path = write("broken.json", text);
  expect(() => readSecretsFile(path)).toThrow(`${path} begins as JSON does, but is no JSON object of texts.`);
});
