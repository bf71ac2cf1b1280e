import type { LogLine, Starting } from "../../support/worker.ts";

/** What reaches Analytics Engine cannot be read back from its local double: this one writes each point to the log. */
export const TELLING_POINTS: Starting = {
  edit(bundle) {
    const plain = bundle.replace(/export \{\s*index_default as default\s*\};/, "");
    if (plain === bundle) throw new Error("The bundle does not export what it did.");
    return `${plain}
      const METRICS = { writeDataPoint: (point) => console.log(JSON.stringify({ point })) };
      export default { fetch: (request, env, context) => index_default.fetch(request, { ...env, METRICS }, context) };`;
  },
};

export interface Point {
  readonly indexes: readonly string[];
  readonly blobs: readonly string[];
  readonly doubles: readonly number[];
}

export function pointsIn(lines: readonly LogLine[]): Point[] {
  return lines.flatMap((line) => ("point" in line ? [readPoint(line["point"])] : []));
}

function readPoint(point: unknown): Point {
  return JSON.parse(JSON.stringify(point));
}
