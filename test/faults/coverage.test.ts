/** Rows and tests are matched both ways, and so are rows and what the simulated origin can do. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FAULTS } from "../../sim/faults/index.ts";
import { readModel } from "../../sim/model.ts";
import { TABLES } from "./rows/index.ts";
import { operationsOf, OPERATIONS } from "./support/operations.ts";
import { modelsOf, playedIn } from "./support/play.ts";

interface Row {
  readonly names: readonly string[];
  readonly does: string;
  readonly gets: string;
}

const HERE = new URL(".", import.meta.url);
const documented: Readonly<Record<string, readonly Row[]>> = JSON.parse(
  readFileSync(new URL("faults.json", HERE), "utf8"),
);

/** What a client commits no origin can play, and a refused connection has no model behind it. */
const NOT_SIMULATED = new Set(["refused", ...namesOf("The client")]);

function namesOf(table: string): string[] {
  return (documented[table] ?? []).flatMap(({ names }) => names);
}

describe("the rows of faults.json", () => {
  it("are in the same tables as the tests", () => {
    expect(Object.keys(TABLES)).toEqual(Object.keys(documented));
  });

  it.each(Object.keys(documented))("each have a test, and each test its row: %s", (table) => {
    expect(Object.keys(TABLES[table] ?? {}).toSorted()).toEqual(namesOf(table).toSorted());
    const empty = Object.entries(TABLES[table] ?? {}).filter(([, cases]) => cases.length === 0);
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it.each(Object.keys(documented).filter((table) => table !== "The client"))(
    "are each played in every operation in which they can occur, and in no other: %s",
    (table) => {
      for (const [name, cases] of Object.entries(TABLES[table] ?? {})) {
        const played = new Set(cases.flatMap((one) => ("run" in one ? [] : playedIn(name, one))));
        expect([name, ...OPERATIONS.filter((operation) => played.has(operation))]).toEqual([
          name,
          ...operationsOf(name),
        ]);
      }
    },
  );

  it("are played by a test file for each table", () => {
    const played = readdirSync(HERE)
      .filter((file) => file.endsWith(".test.ts") && file !== "coverage.test.ts")
      .map((file) => /playRows\("(.+)", rows\)/.exec(readFileSync(new URL(file, HERE), "utf8"))?.[1] ?? file);
    expect(played.toSorted()).toEqual(Object.keys(documented).toSorted());
  });

  it("have a name each, once", () => {
    const names = Object.keys(documented).flatMap(namesOf);
    expect(names).toHaveLength(new Set(names).size);
  });
});

describe("the simulated origin", () => {
  it("has a fault for each row, and a row for each fault", () => {
    const names = Object.keys(documented).flatMap(namesOf);
    expect(Object.keys(FAULTS).toSorted()).toEqual(names.filter((name) => !NOT_SIMULATED.has(name)).toSorted());
  });

  it("serves the model of every case", () => {
    const models = Object.values(TABLES).flatMap((rows) =>
      Object.entries(rows).flatMap(([name, cases]) => cases.flatMap((one) => modelsOf(name, one))),
    );
    expect(models.filter((model) => !("model" in readModel(model, "python")))).toEqual([]);
  });
});
