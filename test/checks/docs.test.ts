/** The pages: those that are made are what would be made now, and every link among them leads somewhere. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it, test } from "vitest";
import { PAGES } from "../../scripts/docs/pages.ts";
import { writeTable } from "../../scripts/docs/table.ts";
import { DESCRIPTIONS } from "../../src/config/describe.ts";
import { settingsSchema } from "../../src/config/schema.ts";
import { ERROR_KINDS } from "../../src/core/errors.ts";
import { operations } from "../../src/protocols/index.ts";

describe("a page that is made", () => {
  it.each(Object.entries(PAGES))("%s is on the disk as it would be made now (npm run docs)", (path, write) => {
    expect(readFileSync(path, "utf8")).toBe(write());
  });

  it("has a line for each setting and for each error, and says what they are", () => {
    const settings = readFileSync("docs/settings.md", "utf8");
    for (const name of Object.keys(settingsSchema.shape)) expect(settings).toContain(`\n| \`${name}\``);
    expect(settings).toMatch(
      /^\| `HOLD_MS` +\| `2000` +\| a whole number of milliseconds from 0 to 86400000 +\| How /m,
    );
    expect(settings).toMatch(/^\| `MAX_FRAME_BYTES` +\| `1048576` \(1 MiB\) +\| a whole number of bytes from 1024 /m);
    expect(settings).toMatch(/^\| `ORIGIN_API_KEY` 🔒 +\| none +\| visible ASCII without spaces +\| /m);
    const errors = readFileSync("docs/errors.md", "utf8");
    expect(errors).toMatch(/^\| `origin_cut` +\| 502 +\| yes +\| The origin's answer ended before it was complete/m);
    expect(errors.match(/^\| `[a-z_]+` +\| [45]\d\d +\| (yes|no) +\| [^|]{9,}\| [^|]{9,}\|$/gm)).toHaveLength(
      Object.keys(ERROR_KINDS).length,
    );
  });

  it("shows values that the Worker takes", () => {
    const examples = Object.entries(DESCRIPTIONS).flatMap(([name, { example }]) => (example ? [[name, example]] : []));
    const settings = { ORIGINS: [{ url: "https://a.test" }], ...Object.fromEntries(examples) };
    expect(settingsSchema.safeParse(settings).error?.issues).toBeUndefined();
  });
});

test("a table is padded, and a bar in a cell is no border", () => {
  expect(writeTable(["a", "long"], [["b|c", "d"]])).toBe("| a    | long |\n| ---- | ---- |\n| b\\|c | d    |");
});

test("the allow-lists before an origin let through what Sluice asks for, and no more", () => {
  const page = readFileSync("docs/origins.md", "utf8");
  const lists = [...page.matchAll(/\^\/\(([^)]+)\)\$/g)].map(([, list = ""]) =>
    list.split("|").map((path) => `/${path}`),
  );
  const asked = ["/health", "/version", "/v1/models", ...operations.map(({ originPath }) => originPath)];
  expect(lists.map((list) => list.toSorted())).toEqual(Array(2).fill([...new Set(asked)].toSorted()));
});

interface Link {
  readonly from: string;
  readonly to: string;
}

/** Every link of a page to something in the repository, outside code. */
function linksOf(from: string): Link[] {
  const text = readFileSync(from, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = ""]) => ({ from, to }))
    .filter(({ to }) => !/^[a-z]+:/.test(to));
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(path: string): string[] {
  const text = readFileSync(path, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
}

/** Returns what is wrong with a link; nothing when it leads somewhere. */
function wrong({ from, to }: Link): string | undefined {
  const [path = "", anchor] = to.split("#");
  const target = path === "" ? from : normalize(join(dirname(from), path));
  if (!existsSync(target)) return `${from}: there is no ${target}`;
  if (anchor !== undefined && !anchorsOf(target).includes(anchor)) return `${from}: ${target} has no #${anchor}`;
  return undefined;
}

/** Folders that are made, or belong to others. */
const PASSED_OVER: readonly string[] = ["node_modules", "dist", ".wrangler", "coverage"];

const pages = globSync("**/*.md", { exclude: (path) => PASSED_OVER.includes(basename(path)) });

describe("links", () => {
  it("are followed in all of these", () => {
    const known = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/README.md", "docs/origins.md", "sim/README.md"];
    expect(pages).toEqual(expect.arrayContaining(known));
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(30);
  });

  it.each(pages)("of %s lead somewhere", (page) => {
    expect(linksOf(page).map(wrong).filter(Boolean)).toEqual([]);
  });

  it("that lead nowhere are found", () => {
    expect(wrong({ from: "docs/README.md", to: "nowhere.md" })).toBe("docs/README.md: there is no docs/nowhere.md");
    expect(wrong({ from: "docs/README.md", to: "errors.md#no" })).toBe("docs/README.md: docs/errors.md has no #no");
    expect(wrong({ from: "docs/README.md", to: "../CONTRIBUTING.md#the-map" })).toBeUndefined();
  });

  it("lead from the index to every page of docs", () => {
    const linked = linksOf("docs/README.md").map(({ to }) => to.split("#")[0]);
    const own = pages.filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== "docs/README.md");
    expect(own.map((path) => path.slice("docs/".length)).filter((name) => !linked.includes(name))).toEqual([]);
  });
});
