/** `npm run smoke`, pointed at a local Worker as if it were deployed, at broken ones, and at what is no gateway. */
import { createServer } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startSim, type Sim } from "../../sim/server.ts";
import { startWorker } from "../support/worker.ts";
import { runScript, type Ran } from "./support/run-script.ts";

const TIMEOUT_MS = 90_000;
const COMMIT = "3bb2605f0d2a4be0a9a7e9f0d9c0a1b2c3d4e5f6";
const KEY = "sk-client";
const SHA256_OF_KEY = "9317152c7ce9662afd2deb4078472692a4d84040d09f9c3d2b2d3688f057c7de";

let sim: Sim;
beforeAll(async () => {
  sim = await startSim({ pace: 1 });
});
afterAll(() => sim.close());

const settings = (more: object = {}): Record<string, unknown> => ({
  ORIGINS: [{ url: sim.url }],
  API_KEYS: { [SHA256_OF_KEY]: { name: "smoke" } },
  ALLOW_ANONYMOUS: "",
  GIT_COMMIT: COMMIT,
  ...more,
});

const smoke = (url: string, args: readonly string[] = [], key = KEY): Promise<Ran> =>
  runScript("smoke.ts", [url, "--within", "1", ...args], { SLUICE_API_KEY: key });

test("a gateway that serves passes", { timeout: TIMEOUT_MS }, async () => {
  await using worker = await startWorker(settings());
  const { status, output } = await smoke(`${worker.url}/`, ["--commit", COMMIT]);
  expect(output).toContain("All 3 stops are as they should be.");
  expect(output).not.toContain(KEY);
  expect(status).toBe(0);
  // The list, then the first model of it twice: the request that makes no sense never gets there.
  expect(sim.requests().map(({ model }) => model)).toEqual([null, "sim/chat", "sim/chat"]);
});

test("an origin without a tool parser fails, unless it is known to have none", { timeout: TIMEOUT_MS }, async () => {
  await using worker = await startWorker(settings({ MODELS: { bare: { model: "sim/chat?parsers=none" } } }));
  const failed = await smoke(worker.url, ["--model", "bare"]);
  expect(failed.output).toContain("Stop 2 (A tool call, its arguments in fragments) failed");
  expect(failed.status).toBe(1);
  const passed = await smoke(worker.url, ["--model", "bare", "--without-tools"]);
  expect(passed.output).toContain("All 2 stops are as they should be.");
  expect(passed.status).toBe(0);
});

test("an origin that cuts its answers off fails", { timeout: TIMEOUT_MS }, async () => {
  await using worker = await startWorker(settings({ MODELS: { cut: { model: "sim/reset-mid" } } }));
  const { status, output } = await smoke(worker.url, ["--model", "cut"]);
  expect(output).toContain("Stop 1 (An answer, as it comes) failed: the stream failed: ");
  expect(status).toBe(1);
});

test("an origin that is gone, another version, and a key that is not known fail", { timeout: TIMEOUT_MS }, async () => {
  await using worker = await startWorker(settings());
  const other = `GET /health tells the commit ${COMMIT}, not ${"0".repeat(40)}: another version answers.\n`;
  expect(await smoke(worker.url, ["--commit", "0".repeat(40)])).toEqual({
    status: 1,
    output: `Waiting for ${worker.url}, 1 s at most. So far: ${other}${other}`,
  });
  expect(await smoke(worker.url, [], "")).toEqual({
    status: 1,
    output: "The gateway asks for a key: SLUICE_API_KEY=sk-… npm run smoke -- URL\n",
  });
  await using lost = await startWorker(settings({ ORIGINS: [{ url: "http://127.0.0.1:1" }] }));
  const { status, output } = await smoke(lost.url);
  expect(output).toMatch(/^GET \/health answers 503: /m);
  expect(status).toBe(1);
});

test("what is no gateway, or not https, fails", { timeout: TIMEOUT_MS }, async () => {
  const page = createServer((_, response) => response.end("<h1>Hello</h1>")).listen(0, "127.0.0.1");
  await once(page, "listening");
  onTestFinished(() => void page.close());
  const { status, output } = await smoke(`http://127.0.0.1:${Reflect.get(Object(page.address()), "port")}`);
  expect(output).toMatch(/^GET \/health fails: /m);
  expect(status).toBe(1);
  expect(await smoke("http://llm.example.com")).toEqual({
    status: 1,
    output: "http://llm.example.com/ is not https.\n",
  });
  expect((await runScript("smoke.ts", [])).status).toBe(1);
});
