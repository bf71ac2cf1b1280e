import { DIALECTS } from "./dialects/index.ts";
import type { Gates } from "./gates.ts";
import type { Recorder } from "./record.ts";
import { reply } from "./replies.ts";
import type { Steps } from "./steps.ts";

/** The simulation's own routes, under `/sim/`: gates and the record. */
export function ownRoute(
  { recorder, gates }: { recorder: Recorder; gates: Gates },
  method: string,
  path: string,
  since: number,
): Steps {
  const json = DIALECTS.rust;
  const gate = /^\/sim\/gates\/([^/]+)$/.exec(path)?.[1];
  if (gate !== undefined && method === "POST") {
    return [reply(json, 200, { waiting: gates.open(decodeURIComponent(gate)) })];
  }
  if (path === "/sim/requests" && method === "GET") return [reply(json, 200, recorder.asJson(since))];
  if (path === "/sim/requests" && method === "DELETE") {
    recorder.clear();
    return [reply(json, 200, [])];
  }
  return [reply(json, 404, { error: "no such route of the simulation" })];
}
