/** The rows as a table that is a table in Markdown too. */
import type { Row } from "./row.ts";
import type { Spread } from "./spread.ts";

export function toTable(rows: readonly Row[], contenders: readonly string[]): string {
  const shown = contenders.filter((contender) => rows.some(({ cells }) => cells[contender] !== undefined));
  const head = ["what", "unit", ...shown, "ratio", "goal"];
  const body = rows.map((row) => [
    row.name,
    row.unit,
    ...shown.map((contender) => cellText(row, contender)),
    row.ratio ? `${spreadText(row.ratio)} × ${row.ratio.over}` : "",
    row.goal ? `${row.goal.text} ${row.goal.met ? "met" : "MISSED"}` : "",
  ]);
  const widths = head.map((title, column) =>
    Math.max(...[head, ...body].map((line) => (line[column] ?? title).length)),
  );
  const draw = (line: readonly string[]) =>
    `| ${line.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [draw(head), draw(widths.map((width) => "-".repeat(width))), ...body.map(draw)].join("\n");
}

function cellText({ cells, added }: Row, contender: string): string {
  const cell = cells[contender];
  if (cell === undefined) return "";
  if (cell === "broken") return cell;
  return added && contender !== "direct" ? spreadText(cell, "+") : spreadText(cell);
}

/** The middle, and the least and most in brackets where there was more than one round. */
function spreadText({ median, min, max }: Spread, plus = ""): string {
  const middle = median < 0 ? digits(median) : `${plus}${digits(median)}`;
  return min === max ? middle : `${middle} (${digits(min)}–${digits(max)})`;
}

/** Three figures that count, but never less than the units. */
function digits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
