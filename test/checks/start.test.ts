/** `npm start`, run for real: what it serves, and that nothing is left of it. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { startSim } from "../../sim/server.ts";
import { freePort, isServed, NpmStart } from "./npm-start.ts";

const TIMEOUT_MS = 20_000;
const SHA256_OF_A_KEY = "2a8a1240f50636655520ac8ed22aa29473b8517b4abfdbc3bc03bcad73fc8849";

test(
  "npm start serves the curl that it prints, and a SIGTERM to npm ends all of it",
  { timeout: TIMEOUT_MS },
  async () => {
    const port = await freePort();
    const start = npmStart(port);
    await start.ready();
    expect(start.output).toContain(`ready on http://127.0.0.1:${port}`);
    expect(start.output).not.toContain("  but ");
    const [, origin] = await start.says(/simulated.* on http:\/\/127\.0\.0\.1:(\d+)/);

    const { url, init } = readCurl(start.output);
    const answer = await fetch(url, init);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect((await answer.text()).endsWith("data: [DONE]\n\n")).toBe(true);
    await start.says(/^\{"message":"request".*"sluice.ending":"finished"/m);

    expect(start.processes.known.map(({ name }) => name)).toContain("workerd");
    process.kill(start.pid, "SIGTERM");
    expect(await start.ended).toBe(0);
    expect(start.processes.left).toEqual([]);
    expect([await isServed(port), await isServed(Number(origin))]).toEqual([false, false]);
  },
);

test(
  "a Ctrl-C, which reaches the whole group, ends all of it; an unbuilt setting reaches the Worker",
  { timeout: TIMEOUT_MS },
  async () => {
    const port = await freePort();
    const start = npmStart(port, { ANONYMOUS_TRUSTED: "true" });
    await start.ready();
    expect(start.output).toContain("ANONYMOUS_TRUSTED is not supported by this version");
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({
      error: { code: "misconfigured", message: expect.stringContaining("ANONYMOUS_TRUSTED") },
    });

    process.kill(-start.pid, "SIGINT");
    await start.ended;
    expect(start.processes.left).toEqual([]);
    expect(await isServed(port)).toBe(false);
  },
);

test(
  "with ORIGINS the door stays shut and the settings arrive as they were given; npm's death ends all of it",
  { timeout: TIMEOUT_MS },
  async () => {
    const sim = await startSim({ pace: 0 });
    onTestFinished(() => sim.close());
    // Everything that quotes, comments and expansions could spoil on the way.
    const key = "it's`$HOME${PORT}\\$5\\";
    const port = await freePort();
    const start = npmStart(port, {
      ORIGINS: JSON.stringify([{ url: sim.url }]),
      ORIGIN_API_KEY: key,
      API_KEYS: JSON.stringify({ [SHA256_OF_A_KEY]: { name: "o'neil" } }),
      MODELS: JSON.stringify({ "the model": { model: "sim/chat" } }),
    });
    await start.ready();
    const { url, init } = readCurl(start.output);
    expect(JSON.parse(init.body)).toMatchObject({ model: "the model" });
    expect((await fetch(url, init)).status).toBe(200);
    expect((await fetch(url, { ...init, headers: {} })).status).toBe(401);
    const asked = sim.requests().map(({ path, headers }) => [path, headers["authorization"]]);
    expect(asked.at(-1)).toEqual(["/v1/chat/completions", `Bearer ${key}`]);

    const commands = start.processes.known.map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    expect(commands.join("\n")).not.toContain(sim.url);
    const envFile = /--env-file\0([^\0]+)/.exec(commands.join("\n"))?.[1] ?? "";
    expect((statSync(envFile).mode & 0o777).toString(8)).toBe("600");

    process.kill(start.pid, "SIGKILL");
    await expect.poll(() => start.processes.left, { timeout: 5_000 }).toEqual([]);
    expect(existsSync(envFile)).toBe(false);
  },
);

test("wrangler ends with the process that started it, however that one ended", { timeout: TIMEOUT_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = join(folder, "wrangler.js");
  writeFileSync(script, "console.log('up'); setInterval(() => {}, 1_000);");
  const leash = new URL("../../scripts/start/leash.ts", import.meta.url).href;
  const child = spawn(process.execPath, ["--import", leash, script], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const ended = once(child, "exit");
  // What the system does to the pipes of a process that is gone.
  child.stdin.destroy();
  expect(await ended).toEqual([null, "SIGKILL"]);
});

test("a busy port is said in one line", { timeout: TIMEOUT_MS }, async () => {
  const port = await freePort();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const start = npmStart(port);
  expect(await start.ended).toBe(1);
  expect(start.output).toMatch(new RegExp(`^Port ${port} is in use\\..*$`, "m"));
  expect(start.output).not.toContain("    at ");
});

function npmStart(port: number, settings?: Record<string, string>): NpmStart {
  const start = new NpmStart(port, settings);
  onTestFinished(() => start.kill());
  return start;
}

/** Returns the request that the printed curl makes, as a shell takes it apart; no curl is needed for that. */
function readCurl(output: string): {
  url: string;
  init: { method: "POST"; headers: [string, string][]; body: string };
} {
  const command = /^ {2}curl (?:.*\\\n)+.*/m.exec(output)?.[0] ?? "";
  const shell = `curl() { "${process.execPath}" -p 'JSON.stringify(process.argv.slice(1))' -- "$@"; }\n${command}`;
  const args: string[] = JSON.parse(execFileSync("sh", ["-c", shell], { encoding: "utf8", env: { KEY: "a-key" } }));
  const after = (option: string): string[] => args.filter((_, at) => args[at - 1] === option);
  expect(args[0]).toBe("-N");
  const headers = after("-H").map((header): [string, string] => {
    const [name = "", value = ""] = header.split(": ");
    return [name, value];
  });
  return { url: args[1] ?? "", init: { method: "POST", headers, body: after("-d")[0] ?? "" } };
}
