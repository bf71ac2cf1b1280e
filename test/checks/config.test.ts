/** What is deployed: the lines of wrangler.toml that a careless edit must not lose, in every environment. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { checkEnvironment } from "../../scripts/check-config/environment.ts";
import { readGiven } from "../../scripts/check-config/given.ts";

const path = join(import.meta.dirname, "../../wrangler.toml");
const read = (env: string): ReturnType<typeof readConfig> => readConfig({ config: path, env }, { hideWarnings: true });

it("there are the environments that the docs and the workflows name", () => {
  expect(read("").definedEnvironments).toEqual(["staging", "production"]);
  expect([read("").name, read("staging").name, read("production").name]).toEqual([
    "sluice",
    "sluice-staging",
    "sluice-production",
  ]);
});

describe.each(["", "staging", "production"])("in environment %j", (env) => {
  const config = read(env);

  it("the runtime passes a client's leaving on, and the zone's own rules are not gone around", () => {
    expect(config.compatibility_date).toBe("2026-11-17");
    expect(config.compatibility_flags).toEqual(["global_fetch_strictly_public"]);
  });

  it("nothing is cached and no preview of a version is open to the world", () => {
    expect(config.cache).toBeUndefined();
    expect(config.preview_urls).toBe(false);
  });

  it("a long stream has the CPU time that it needs", () => {
    expect(config.limits).toEqual({ cpu_ms: 300_000 });
  });

  it("the Worker's own log lines are kept, and the requests' headers, which hold keys, are not", () => {
    expect(config.observability).toMatchObject({
      enabled: true,
      head_sampling_rate: 1,
      logs: { invocation_logs: false },
    });
  });

  it("the Worker can tell which version it is", () => {
    expect(config.version_metadata).toEqual({ binding: "VERSION_METADATA" });
  });
});

it.each(["staging", "production"])("%s is not deployed without keys", (env) => {
  expect(read(env).secrets).toEqual({ required: ["API_KEYS"] });
});

it.each(["staging", "production"])("%s repeats every binding and variable of the top level", (env) => {
  const given = readGiven(path, env, {});
  expect(given.top.bindings).toContain("VERSION_METADATA");
  expect(checkEnvironment(given)).toEqual([]);
});
