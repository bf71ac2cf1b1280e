/** `check-config --live`, asked of the simulated origin in both dialects, and of what may stand before one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkLive } from "../../scripts/check-config/live.ts";
import { startSim, type Sim } from "../../sim/server.ts";
import { readConfig } from "../../src/config/config.ts";
import { startOrigin } from "../support/origin.ts";

const KEY = "sk-origin";
const DIALECTS = [
  ["python", "", "Python"],
  ["rust", "-rust", "Rust"],
] as const;

/** What is said of one origin, a line for each finding. */
async function told(url: string, model?: string, key = KEY): Promise<string[]> {
  const config = readConfig({ ORIGINS: [{ url }], ORIGIN_API_KEY: key });
  return (await checkLive(config, model)).map(({ level, text }) => `${level} ${text}`);
}

describe.each(DIALECTS)("vLLM's %s front end", (dialect, suffix, name) => {
  let sim: Sim;
  beforeAll(async () => {
    sim = await startSim({ dialect, apiKey: KEY, pace: 1 });
  });
  afterAll(() => sim.close());

  it("with everything on, silent for a moment and alive meanwhile", async () => {
    const said = await told(sim.url, `sim/chat${suffix}?prefill_ms=300&keepalive_ms=60`);
    expect(said).toEqual([
      `note ORIGINS.0: vLLM 0.32.0, ${name} front end. It serves sim/chat, sim/chat-rust, sim/say, sim/embed, tiny and 1 more.`,
      "note ORIGINS.0: it asks for its key, and takes ours.",
      "note ORIGINS.0: tools are parsed.",
      "note ORIGINS.0: /inference/v1/generate is on.",
      expect.stringMatching(
        /^note ORIGINS\.0: it breaks a silence after \d+ ms, so nothing between will take it for dead\.$/,
      ),
    ]);
  });

  it("with everything off", async () => {
    const said = await told(sim.url, `sim/chat${suffix}?parsers=none&scale_out=off`);
    expect(said.slice(2)).toEqual([
      "warning ORIGINS.0: no tool parser, so every request with tools is refused. Start vLLM with --enable-auto-tool-choice and --tool-call-parser.",
      "note ORIGINS.0: /inference/v1/generate is off; clients get 501 for it. Start vLLM with --enable-scale-out.",
      expect.stringMatching(
        /^note ORIGINS\.0: no keep-alive was seen \(its longest silence was \d+ ms\)\. What stands between must bear minutes of silence, or start vLLM with --sse-keep-alive-interval 30\.$/,
      ),
    ]);
  });

  it("of an older version", async () => {
    const said = await told(sim.url, `sim/chat${suffix}?scale_out=absent`);
    expect(said[3]).toBe(
      "note ORIGINS.0: /inference/v1/generate is not there; clients get 501 for it. Start vLLM with --enable-scale-out.",
    );
  });

  it("with another key, and its first model where none is named", async () => {
    expect((await told(sim.url, undefined, "sk-wrong")).slice(1)).toEqual([
      "error ORIGINS.0: it refuses the key that Sluice would send (401). Clients would get 502 origin_auth.",
      "warning ORIGINS.0: no model could be asked, so nothing is known of its switches.",
    ]);
    await told(sim.url);
    expect(sim.requests().at(-1)?.model).toBe("sim/chat");
  });
});

it("a door that stands open", async () => {
  const sim = await startSim({ pace: 0 });
  expect((await told(sim.url))[1]).toBe(
    "warning ORIGINS.0: it answers without a key. Whoever finds its address can use it (docs/origins.md).",
  );
  await sim.close();
});

describe("what stands before an origin is known by its headers", () => {
  it.each([
    [{ "cf-ray": "8f-AMS", server: "cloudflare" }, "Cloudflare stands before it and ends 120 s of silence with 524"],
    [{ "x-amz-cf-id": "a==" }, "CloudFront stands before it and ends 30 s of silence by default"],
    [{ "x-served-by": "cache-ams", "x-timer": "S1" }, "Fastly stands before it and ends 60 s of silence by default"],
    [{ server: "nginx/1.29" }, "nginx stands before it, which ends 60 s of silence and buffers answers by default"],
  ])("%j", async (headers, text) => {
    await using origin = await startOrigin((request) => request.json({ data: [] }, 200, headers));
    expect((await told(origin.url)).at(-1)).toBe(`warning ORIGINS.0: ${text} (docs/origins.md).`);
  });
});

it("an origin that is dead, gone, or something else", async () => {
  await using dead = await startOrigin((request) => request.json({}, 503));
  expect(await told(dead.url)).toEqual([
    "note ORIGINS.0: vLLM of an unknown version, front end unknown. It does not list its models.",
    "error ORIGINS.0: /health answers 503. Its engine does not run.",
    "error ORIGINS.0: /v1/models answers 503.",
    "warning ORIGINS.0: no model could be asked, so nothing is known of its switches.",
  ]);
  await using page = await startOrigin((request) => request.json({ data: [{ id: "m" }] }, 200, { server: "nginx" }));
  expect((await told(page.url)).slice(2, 5)).toEqual([
    "note ORIGINS.0: tools are parsed.",
    "warning ORIGINS.0: whether /inference/v1/generate is on could not be told.",
    "error ORIGINS.0: it does not stream a chat answer.",
  ]);
  const gone = await startOrigin();
  await gone.close();
  expect(await told(gone.url)).toEqual(["error ORIGINS.0: it cannot be reached from here (ECONNREFUSED)."]);
});
