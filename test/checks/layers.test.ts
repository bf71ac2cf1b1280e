/** The import direction is enforced: every wrong import, planted in a copy of the sources, is found by the linter. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** What each folder of src may import beside itself; what is above them all is open to none. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  sse: ["core"],
  events: ["core", "sse"],
  projection: ["core", "sse", "events"],
  vllm: ["core", "sse", "events", "projection"],
  protocols: ["core", "sse", "events", "projection", "vllm"],
  config: ["core"],
  origin: ["core", "config"],
  stream: ["core"],
  door: ["core", "config"],
  gateway: ["core", "sse", "events", "projection", "vllm", "protocols", "config", "origin", "stream", "door"],
};
const LAYERS = Object.keys(MAY_IMPORT);

interface Planted {
  /** Where the import stands, and of what. */
  readonly file: string;
  readonly imports: string;
  readonly allowed: boolean;
}

const PLANTED: readonly Planted[] = [
  ...LAYERS.flatMap((layer) => [
    ...LAYERS.filter((other) => other !== layer).flatMap((other) => {
      const allowed = MAY_IMPORT[layer]?.includes(other) ?? false;
      return [
        { file: `src/${layer}/from-${other}.ts`, imports: `../${other}/thing.ts`, allowed },
        { file: `src/${layer}/deep/from-${other}.ts`, imports: `../../${other}/thing.ts`, allowed },
      ];
    }),
    { file: `src/${layer}/from-app.ts`, imports: "../app.ts", allowed: false },
    { file: `src/${layer}/from-index.ts`, imports: "../index.ts", allowed: false },
  ]),
  { file: "src/origin/from-vllm-errors.ts", imports: "../vllm/errors.ts", allowed: true },
  { file: "src/origin/from-vllm-chat.ts", imports: "../vllm/chat/repair.ts", allowed: false },
  { file: "src/protocols/from-folder.ts", imports: "./chat/index.ts", allowed: true },
  { file: "src/protocols/chat/from-beside.ts", imports: "../openai-error.ts", allowed: true },
  { file: "src/protocols/chat/from-own.ts", imports: "./read.ts", allowed: true },
  { file: "src/protocols/chat/from-other.ts", imports: "../messages/read.ts", allowed: false },
  { file: "src/gateway/from-registry.ts", imports: "../protocols/index.ts", allowed: true },
  { file: "src/gateway/from-protocol.ts", imports: "../protocols/chat/index.ts", allowed: false },
  { file: "sim/from-src.ts", imports: "../src/core/ids.ts", allowed: false },
  { file: "sim/chat/from-src.ts", imports: "../../src/core/ids.ts", allowed: false },
  { file: "test/e2e/from-src.ts", imports: "../../src/core/ids.ts", allowed: false },
  { file: "demo/from-src.ts", imports: "../src/core/ids.ts", allowed: false },
  { file: "scripts/start/from-src.ts", imports: "../../src/core/ids.ts", allowed: false },
  { file: "scripts/check-config/from-config.ts", imports: "../../src/config/config.ts", allowed: true },
  { file: "scripts/check-config/live/from-config.ts", imports: "../../../src/config/config.ts", allowed: true },
  { file: "scripts/check-config/from-door.ts", imports: "../../src/door/keys.ts", allowed: false },
  { file: "scripts/docs/from-errors.ts", imports: "../../src/core/errors.ts", allowed: true },
  { file: "scripts/docs/from-vllm-errors.ts", imports: "../../src/vllm/errors.ts", allowed: false },
  { file: "bench/from-src.ts", imports: "../src/core/ids.ts", allowed: false },
  { file: "test/unit/from-src.ts", imports: "../../src/core/ids.ts", allowed: true },
  { file: "test/e2e/from-support.ts", imports: "../support/worker.ts", allowed: true },
];

interface Finding {
  readonly code: string;
  readonly filename: string;
}

const copy = mkdtempSync(join(tmpdir(), "layers-"));
let findings: readonly Finding[];

beforeAll(() => {
  for (const name of [".oxlintrc.json", "tsconfig.json", "src", "sim"]) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  for (const { file, imports } of PLANTED) {
    const path = join(copy, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `import { thing } from "${imports}";\n\nthing();\n`);
  }
  findings = lint();
}, 30_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Lints the whole copy in one run. */
function lint(): readonly Finding[] {
  const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
  const { stdout, stderr } = spawnSync(process.execPath, [oxlint, "--format", "json"], {
    cwd: copy,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    const { diagnostics }: { diagnostics: Finding[] } = JSON.parse(stdout);
    return diagnostics.filter(({ code }) => code.includes("no-restricted-imports"));
  } catch {
    throw new Error(`oxlint said no JSON:\n${stdout}\n${stderr}`);
  }
}

const refused = (files: readonly string[]): string[] => {
  const found = new Set(findings.map(({ filename }) => filename));
  return files.filter((file) => found.has(file));
};

describe("of the planted imports exactly the wrong ones are refused", () => {
  const folders = [...LAYERS.map((layer) => `src/${layer}/`), "sim/", "test/", "demo/", "scripts/", "bench/"];
  it.each(folders)("in %s", (folder) => {
    const planted = PLANTED.filter(({ file }) => file.startsWith(folder));
    const wrong = planted.filter(({ allowed }) => !allowed);
    expect(wrong.length).toBeGreaterThan(0);
    expect(refused(planted.map(({ file }) => file))).toEqual(wrong.map(({ file }) => file));
  });
});

it("the sources themselves import nothing that they may not", () => {
  const planted = new Set(PLANTED.map(({ file }) => file));
  expect(findings.filter(({ filename }) => !planted.has(filename))).toEqual([]);
});

it("no folder of src is without a rule", () => {
  const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(LAYERS).toEqual(expect.arrayContaining(folders.map(({ name }) => name)));
});
