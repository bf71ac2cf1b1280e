/** What is deployed: the lines of wrangler.toml that a careless edit must not lose. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";

const config = readConfig({ config: join(import.meta.dirname, "../../wrangler.toml") }, { hideWarnings: true });

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
