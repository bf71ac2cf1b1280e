import { join } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

// Where a runner wants the counts as JSON, one file for each run.
const reports = process.env["TEST_REPORTS"];
const json: ["json", object][] = reports
  ? [["json", { outputFile: join(reports, `${Date.now()}-${process.pid}.json`) }]]
  : [];

// A hundred thousand events go over real sockets: on a busy machine that takes a while, and means nothing.
const inWorkerd = {
  globalSetup: ["test/support/build-worker.ts"],
  testTimeout: 180_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    reporters: ["default", ...json],
    // By default one core is left idle, which on two is half of them.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "node",
          // Some properties are tried on thousands of inputs.
          testTimeout: 20_000,
          include: ["test/{unit,conformance,sim,checks}/**/*.test.ts"],
        },
      },
      {
        // The same machines in the runtime that they are for: its decoder, its streams, its zod without code generation.
        plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
        test: {
          name: "workerd",
          include: ["test/unit/{core,sse,stream,vllm}/**/*.test.ts"],
          // Reads the recordings from the disk, which workerd does not have.
          exclude: ["test/unit/vllm/recorded-errors.test.ts"],
          isolate: false,
        },
      },
      { test: { name: "e2e", include: ["test/{e2e,faults}/**/*.test.ts"], ...inWorkerd } },
      // Runs wrangler again and again, and so takes minutes.
      { test: { name: "deploy", include: ["test/deploy/*.test.ts"], ...inWorkerd } },
      { test: { name: "clients", include: ["test/clients/*.test.ts"], ...inWorkerd } },
      {
        test: {
          name: "vllm",
          include: ["test/vllm/*.test.ts"],
          ...inWorkerd,
          globalSetup: ["test/vllm/support/require-vllm.ts", ...inWorkerd.globalSetup],
        },
      },
    ],
  },
});
