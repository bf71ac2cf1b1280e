/** What `npm start` prints: what is pasted from it must be complete, and what it says must be so. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { greet, type Greeting } from "../../scripts/start/greeting.ts";
import { listModels } from "../../scripts/start/origin.ts";
import { startSim } from "../../sim/server.ts";

const ORIGINS = `[{"url": "http://it's.test"}]`;
const SHUT: Greeting = {
  url: "http://127.0.0.1:8787",
  simulated: false,
  origins: ["http://it's.test"],
  models: ["m"],
  refused: false,
  typed: ORIGINS,
  door: "shut",
  problem: undefined,
};

/** Runs the lines that open the door, in a shell whose `npm` shows what it is given. */
function openDoor(greeting: Greeting): { key: string; origins: string; keys: string } {
  const [, recipe = ""] = /a key of yours:\n\n([\s\S]*?)\n\n/.exec(greet(greeting)) ?? [];
  const shell = `node() { "${process.execPath}" "$@"; }\nnpm() { printf '%s\\n%s\\n' "$ORIGINS" "$API_KEYS"; }\n${recipe}`;
  const [key = "", origins = "", keys = ""] = execFileSync("sh", ["-c", shell], { encoding: "utf8", env: {} }).split(
    "\n",
  );
  return { key, origins, keys };
}

test("the lines that open the door tell the key, and keep the origins that were typed", () => {
  const { key, origins, keys } = openDoor(SHUT);
  expect(key).toMatch(/^sk-[0-9a-f]{48}$/);
  expect(JSON.parse(keys)).toEqual({ [createHash("sha256").update(key).digest("hex")]: { name: "me" } });
  expect(origins).toBe(ORIGINS);
  expect(greet(SHUT)).toContain(
    String.raw`for everyone: ORIGINS='[{"url": "http://it'\''s.test"}]' ALLOW_ANONYMOUS=true npm start`,
  );
  expect(greet(SHUT)).toContain("Try it from another terminal, after KEY=sk-… with the key itself:");
});

test("origins that stand in .dev.vars are there the next time too", () => {
  const kept = { ...SHUT, typed: undefined };
  expect(openDoor(kept).origins).toBe("");
  expect(greet(kept)).toContain("for everyone: ALLOW_ANONYMOUS=true npm start\n\n");
});

test("in front of the simulated origin it says how a real one is served", () => {
  expect(greet({ ...SHUT, simulated: true, typed: undefined, door: "open" })).toContain(
    `a real vLLM instead: ORIGINS='[{"url":"http://HOST:8000"}]' ALLOW_ANONYMOUS=true npm start\n`,
  );
});

test("nothing is said of the door where a setting is wrong, since nobody comes as far", () => {
  const text = greet({ ...SHUT, origins: [], models: [], problem: "ORIGINS: must be a list." });
  expect(text).toContain("ORIGINS: must be a list.");
  expect(text).not.toMatch(/door|401|Try it|at the moment/);
});

test("an origin that refuses our key is told from one that does not answer", async () => {
  const sim = await startSim({ apiKey: "sk-origin", pace: 0 });
  const settings = { ORIGINS: JSON.stringify([{ url: sim.url }]), MODELS: '{"a": {"model": "b"}}' };
  expect(await listModels({ ...settings, ORIGIN_API_KEY: "sk-wrong" })).toEqual({ models: ["a"], refused: true });
  expect(await listModels({ ...settings, ORIGIN_API_KEY: "sk-origin" })).toMatchObject({ refused: false });
  await sim.close();
  expect(await listModels(settings)).toEqual({ models: ["a"], refused: false });

  const text = greet({ ...SHUT, models: [], refused: true });
  expect(text).toContain("\n           the origin refuses the gateway's key: set ORIGIN_API_KEY\n");
  expect(text).toContain("\n  models   unknown\n");
  expect(greet({ ...SHUT, models: [] })).toContain("unknown: the origin does not list them at the moment");
});
