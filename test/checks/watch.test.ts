/** docs/watch.md says what is logged and counted, no more and no less; its queries read columns that there are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../src/core/errors.ts";
import { writeLine } from "../../src/gateway/log.ts";
import { BLOBS, DOUBLES } from "../../src/gateway/metrics.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/watch.md"), "utf8");
const queries = [...page.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, query = ""]) => query);

/** Every column by its position. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ["index1", "caller"],
  ...BLOBS.map(([name], at): [string, string] => [`blob${at + 1}`, name]),
  ...DOUBLES.map(([name], at): [string, string] => [`double${at + 1}`, name]),
]);

/** The cells in backticks of the rows of the table under `heading`, for the first `cells` columns. */
function tableUnder(heading: string, cells: number): string[][] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((row) => row.startsWith("| `"));
  return rows.map((row) =>
    [
      ...row
        .split("|")
        .slice(1, 1 + cells)
        .join("|")
        .matchAll(/`([^`]+)`/g),
    ].map(([, cell = ""]) => cell),
  );
}

test("each name of the log line is explained, and nothing else", () => {
  const record = {
    id: "req_1",
    operation: "chat",
    genAiName: "chat",
    trace: { traceId: "0", spanId: "0", flags: "01", state: undefined },
    caller: "a",
    model: "m",
    stream: true,
    status: 200,
    origin: "http://a.test",
    attempts: 2,
    startedAt: 0,
    headAt: 1,
    firstEventAt: 2,
    firstWordAt: 3,
    lastEventAt: 4,
    heldMs: 3,
    events: 4,
    tokens: { prompt: 1, completion: 2 },
    finishReasons: ["stop"],
  };
  const failed = { kind: "failed", error: new GatewayError("origin_cut", "It broke off.", { cause: "why" }) } as const;
  const lines = [writeLine(record, failed, 9), writeLine(record, { kind: "client_left", stage: "streaming" }, 9)];
  const names = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))));
  expect([...names].toSorted()).toEqual(tableUnder("The log line", 1).flat().toSorted());
});

test("each column stands at its position, and nothing else", () => {
  expect(tableUnder("Counters", 2)).toEqual([...COLUMNS]);
});

describe("the queries", () => {
  test("are there for each question", () => {
    expect(queries.length).toBeGreaterThanOrEqual(6);
  });

  test.each(queries)("%#: %s", (query) => {
    const used = [...query.matchAll(/\b(?:blob|double|index)\d+\b/g)].map(([column]) => column);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((column) => !COLUMNS.has(column))).toEqual([]);
    // A column is called what it is.
    const named = [...query.matchAll(/(?:SELECT |^ *|, )((?:blob|double|index)\d+) AS (\w+)/gm)];
    for (const [, column = "", name] of named) expect([column, name]).toEqual([column, COLUMNS.get(column)]);
    // What is grouped or ordered by was selected under that name, from the one dataset that the page sets up.
    const names = [...query.matchAll(/ AS (\w+)/g)].map(([, name]) => name);
    const [, grouped = ""] = /GROUP BY (.*)/.exec(query) ?? [];
    const [, ordered = ""] = /ORDER BY (.*)/.exec(query) ?? [];
    const needed = [grouped, ordered.replace(/ DESC$/, "")]
      .flatMap((list) => list.split(", "))
      .filter((name) => name !== "");
    expect(needed.filter((name) => !names.includes(name))).toEqual([]);
    expect(/^FROM (\w+)$/m.exec(query)?.[1]).toBe("sluice");
    // Rows are a sample: counting them counts too few.
    expect(query).not.toMatch(/count/i);
    if (grouped !== "") expect(query).toContain("_sample_interval");
  });
});

test("the dataset that the queries read is the one that wrangler.toml would bind", () => {
  const block = '[[analytics_engine_datasets]]\nbinding = "METRICS"\ndataset = "sluice"\n';
  expect(page).toContain(block);
  const toml = readFileSync(join(import.meta.dirname, "../../wrangler.toml"), "utf8");
  expect(toml.replaceAll(/^# /gm, "")).toContain(block);
});
